"""The cards in content of Ghost, such as images, videos and callouts, as HTML."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape
from typing import Any

from markdown_it import MarkdownIt

from masthead_importers.markup import figure, image, link, player

Card = Mapping[str, Any]


def write_card(name: str, card: Card) -> str | None:
    """Return the HTML of a card; None for an unknown or an invisible kind."""
    writer = _WRITERS.get(name)
    return writer(card) if writer else None


def _text(card: Card, name: str) -> str:
    value = card.get(name)
    return value if isinstance(value, str) else ""


def _image(card: Card) -> str:
    shown = image(_text(card, "src"), _text(card, "alt"))
    if target := _text(card, "href"):
        shown = f'<a href="{escape(target)}">{shown}</a>'
    return figure(shown, _text(card, "caption"))


def _gallery(card: Card) -> str:
    images = card.get("images")
    shown = [_image(each) for each in images or () if isinstance(each, dict) and each.get("src")]
    caption = _text(card, "caption")
    return "".join(shown) + (f"<p>{caption}</p>" if caption else "")


def _code(card: Card) -> str:
    return f"<pre><code>{escape(_text(card, 'code'))}</code></pre>"


def _markdown(card: Card) -> str:
    return str(
        MarkdownIt("commonmark", {"html": True}).enable("table").render(_text(card, "markdown"))
    )


def _embed(card: Card) -> str:
    return _text(card, "html") or player(_text(card, "url"))


def _bookmark(card: Card) -> str:
    metadata = card.get("metadata")
    described: Card = metadata if isinstance(metadata, dict) else {}
    shown = link(_text(card, "url"), _text(described, "title"))
    return f"<p>{shown}</p>"


def _callout(card: Card) -> str:
    return f"<aside><p>{_text(card, 'calloutText') or _text(card, 'text')}</p></aside>"


def _button(card: Card) -> str:
    return f"<p>{link(_text(card, 'buttonUrl'), _text(card, 'buttonText'))}</p>"


def _toggle(card: Card) -> str:
    heading, content = _text(card, "heading"), _text(card, "content")
    return f"<details><summary>{heading}</summary>{content}</details>"


def _media(tag: str) -> Callable[[Card], str]:
    def write(card: Card) -> str:
        address = escape(_text(card, "src"))
        return figure(f'<{tag} controls src="{address}"></{tag}>', _text(card, "caption"))

    return write


def _file(card: Card) -> str:
    return f"<p>{link(_text(card, 'src'), _text(card, 'fileTitle') or _text(card, 'fileName'))}</p>"


def _header(card: Card) -> str:
    heading, text = _text(card, "heading") or _text(card, "header"), _text(card, "subheader")
    return f"<h2>{heading}</h2>" + (f"<p>{text}</p>" if text else "")


_WRITERS: Mapping[str, Callable[[Card], str]] = {
    "audio": _media("audio"),
    "bookmark": _bookmark,
    "button": _button,
    "callout": _callout,
    "card-markdown": _markdown,
    "code": _code,
    "codeblock": _code,
    "embed": _embed,
    "file": _file,
    "gallery": _gallery,
    "header": _header,
    "horizontalrule": lambda _: "<hr>",
    "hr": lambda _: "<hr>",
    "html": lambda card: _text(card, "html"),
    "image": _image,
    "markdown": _markdown,
    "paywall": lambda _: "",
    "toggle": _toggle,
    "video": _media("video"),
}
