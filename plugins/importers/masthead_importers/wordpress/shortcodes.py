"""Shortcodes in posts: the common ones become HTML, unknown ones leave their text."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from html import escape, unescape

from masthead_importers.markup import figure, image, link, player
from masthead_importers.report import Report

_ATTRIBUTE = re.compile(
    r"""([\w-]{1,50}+)\s*=\s*(?:"([^"]*+)"|'([^']*+)'|([^\s"'\]]++))|"([^"]*+)"|(\S++)"""
)
_NAME = r"[a-zA-Z][\w-]{1,60}"
_TAG = re.compile(rf"\[(\[?)(/?)({_NAME})((?:\s(?:[^\[\]\"']|\"[^\"]*+\"|'[^']*+')*+)?)(/?)\](\]?)")
_IMAGE = re.compile(r"(?:<a\b[^<>]*+>\s*)?<img\b[^<>]*+>(?:\s*</a>)?", re.IGNORECASE)
_WRITTEN = re.compile(r"[_\d-]")
"""A character that distinguishes a shortcode from a word in brackets, such as ``[sic]``."""

_MAX_NESTED = 50
"""The number of shortcodes inside each other; further ones have no content."""

Images = Callable[[str], tuple[str, str] | None]
"""Return the address and alternative text of an attachment by its id."""


class Shortcodes:
    """Replaces the shortcodes of posts."""

    def __init__(self, images: Images, attached: Callable[[str], list[str]]) -> None:
        """Take functions that return an image by its id, and the ids of a post's images."""
        self._images = images
        self._attached = attached

    def replace(self, html: str, post: str, report: Report) -> str:
        """Return HTML without shortcodes.

        :param post: the id of the post.
        """
        if "[" not in html:
            return html
        return _Replacing(self, html, post, report).run()

    def write(self, name: str, given: Mapping[str, str], inner: str, post: str) -> str | None:
        """Return the HTML for a shortcode; None for an unknown one."""
        if name in ("caption", "wp_caption"):
            return _caption(given, inner)
        if name == "gallery":
            return self._gallery(given, post)
        if name == "embed":
            return player(unescape(inner.strip() or given.get("src", "")))
        if name in ("audio", "video"):
            return _media(name, given, inner)
        return player(address) if (address := _video(name, given, inner)) else None

    def _gallery(self, given: Mapping[str, str], post: str) -> str:
        listed = given.get("ids") or given.get("include") or ""
        ids = re.findall(r"\d+", listed) or self._attached(given.get("id") or post)
        found = (self._images(each) for each in ids)
        return "".join(figure(image(*each)) for each in found if each is not None)


class _Replacing:
    """The replacing of the shortcodes of one post; a closing tag belongs to the nearest opening."""

    def __init__(self, codes: Shortcodes, html: str, post: str, report: Report) -> None:
        self._codes, self._html, self._post, self._report = codes, html, post, report
        self._parts: list[str] = []
        self._open: list[tuple[str, dict[str, str], int]] = []
        """The name and attributes of each opening tag, and the number of parts before it."""

    def run(self) -> str:
        closed = {found[3].lower() for found in _TAG.finditer(self._html) if found[2]}
        end = 0
        for found in _TAG.finditer(self._html):
            self._parts.append(self._html[end : found.start()])
            end = found.end()
            self._handle(found, closed)
        self._parts.append(self._html[end:])
        while self._open:
            self._close(len(self._open) - 1, len(self._parts), enclosing=False)
        return "".join(self._parts)

    def _handle(self, found: re.Match[str], closed: set[str]) -> None:
        name = found[3].lower()
        if found[1] and found[6]:
            # Doubled brackets write a shortcode as text.
            self._parts.append(found[0][1:-1])
        elif found[2]:
            opened = [n for n, (other, _, _) in enumerate(self._open) if other == name]
            if opened:
                self._close(opened[-1], len(self._parts), enclosing=True)
        elif name in closed and not found[5] and len(self._open) < _MAX_NESTED:
            self._open.append((name, _attributes(found[4]), len(self._parts)))
        else:
            self._parts.append(found[1] + self._single(found, name) + found[6])

    def _single(self, found: re.Match[str], name: str) -> str:
        given = _attributes(found[4])
        html = self._codes.write(name, given, "", self._post)
        if html is not None:
            return html
        if "=" not in found[4] and not found[5] and not _WRITTEN.search(name):
            return found[0][len(found[1]) : len(found[0]) - len(found[6])]
        self._report.warn(f"an unknown shortcode is removed: [{name}]", f"post {self._post}")
        return ""

    def _close(self, number: int, end: int, *, enclosing: bool) -> None:
        """Replace an opening tag and the parts after it."""
        name, given, start = self._open[number]
        inner = "".join(self._parts[start:end])
        html = self._codes.write(name, given, inner if enclosing else "", self._post)
        if html is None:
            self._report.warn(f"an unknown shortcode is removed: [{name}]", f"post {self._post}")
            html = inner
        elif not enclosing:
            html += inner
        del self._open[number:]
        self._parts[start:] = [html]


def _attributes(text: str) -> dict[str, str]:
    given: dict[str, str] = {}
    for number, found in enumerate(_ATTRIBUTE.finditer(text)):
        if found[1]:
            given[found[1].lower()] = unescape(found[2] or found[3] or found[4] or "")
        else:
            given[str(number)] = unescape(found[5] or found[6] or "")
    return given


def _caption(given: Mapping[str, str], inner: str) -> str:
    found = _IMAGE.search(inner)
    if found is None:
        return inner
    text = inner[: found.start()] + inner[found.end() :]
    return figure(found[0], text.strip() or escape(given.get("caption", "")))


def _media(name: str, given: Mapping[str, str], inner: str) -> str:
    known = ("src", "mp3", "m4a", "ogg", "wav", "mp4", "m4v", "webm", "0")
    address = next((given[each] for each in known if given.get(each)), inner.strip())
    if name == "video" and "://" in address and not re.search(r"\.\w{2,4}\Z", address):
        return player(address)
    if not address:
        return ""
    return f'<{name} controls src="{escape(address)}"></{name}><p>{link(address)}</p>'


def _video(name: str, given: Mapping[str, str], inner: str) -> str:
    """Return the address of a video in a shortcode for one host; blank for other shortcodes."""
    forms = {"youtube": "https://www.youtube.com/watch?v={}", "vimeo": "https://vimeo.com/{}"}
    if name not in forms:
        return ""
    value = given.get("0") or given.get("id") or given.get("url") or inner.strip()
    value = value.removeprefix("=")
    return value if "://" in value else forms[name].format(value) if value else ""
