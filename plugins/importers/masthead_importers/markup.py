"""Small helpers for HTML: text of it, figures, and attributes of images."""

from __future__ import annotations

import re
from html import escape

from masthead import plain_text

_TAG = re.compile(r"<(?:img|source)(?:[^\"<>]|\"[^\"]*+\")++>", re.IGNORECASE)
_RESPONSIVE = re.compile(r" (?:srcset|sizes)=\"[^\"]*+\"")
_PLAYERS = (
    (
        re.compile(
            r"https?://(?:www\.|m\.)?(?:youtube\.com/(?:watch\?(?:[^\s#]*&)?v=|shorts/|live/)"
            r"|youtu\.be/)([\w-]{6,20})"
        ),
        "https://www.youtube-nocookie.com/embed/{}",
    ),
    (re.compile(r"https?://(?:www\.)?vimeo\.com/(\d+)"), "https://player.vimeo.com/video/{}"),
    (
        re.compile(r"https?://open\.spotify\.com/((?:track|album|episode|show|playlist)/\w+)"),
        "https://open.spotify.com/embed/{}",
    ),
)


def one_line(html: str) -> str:
    """Return the text of HTML in one line."""
    return " ".join(plain_text(html).split())


def shortened(text: str, longest: int) -> str:
    """Return a text with at most ``longest`` characters."""
    return text if len(text) <= longest else text[: longest - 1].rstrip() + "…"


def figure(image: str, caption: str = "") -> str:
    """Return a figure with an image and an optional caption, both as HTML."""
    described = f"<figcaption>{caption}</figcaption>" if caption else ""
    return f"<figure>{image}{described}</figure>"


def image(address: str, alt_text: str = "") -> str:
    """Return the HTML of an image."""
    return f'<img src="{escape(address)}" alt="{escape(alt_text)}">'


def link(address: str, text: str = "") -> str:
    """Return the HTML of a link."""
    return f'<a href="{escape(address)}">{escape(text or address)}</a>'


def player(address: str) -> str:
    """Return the player for the address of a video or sound, or a link if there is none."""
    for pattern, form in _PLAYERS:
        if found := pattern.match(address):
            return f'<iframe src="{form.format(found[1])}" allowfullscreen></iframe>'
    return f"<p>{link(address)}</p>"


def without_variants(html: str) -> str:
    """Return sanitised HTML whose images have one address each.

    The import stores each image once, and Masthead makes its own renditions.
    """
    return _TAG.sub(lambda tag: _RESPONSIVE.sub("", tag[0]), html)
