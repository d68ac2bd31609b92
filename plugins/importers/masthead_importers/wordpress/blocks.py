"""Blocks of the editor of WordPress 5 and later, which mark their HTML by comments."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from html import unescape
from typing import Any

from masthead_importers.markup import player
from masthead_importers.report import Report

_BLOCK = re.compile(r"\s+/?wp:([a-z][\w/-]*+)\s++(\{.*\}\s+)?(/?)", re.DOTALL)
"""The text of a comment that begins or ends a block; values of blocks contain no ``--``."""
_OPENING, _CLOSING = "<!--", "-->"
_EMBED = re.compile(
    r"<div class=\"wp-block-embed__wrapper\">\s*(https?://[^\s<>\"]+)\s*</div>", re.IGNORECASE
)
_BARE_ADDRESS = re.compile(r"^[ \t]*+(https?://[^\s<>\"]++)[ \t]*$", re.MULTILINE)
_MAX_NESTED = 5
"""The number of synced blocks inside each other."""
_MAX_SYNCED = 500
"""The number of synced blocks in a post, those inside others included."""


def has_blocks(html: str) -> bool:
    """Whether a post was written with the block editor."""
    return "<!-- wp:" in html


def write_blocks(html: str, synced: Callable[[str], str | None], post: str, report: Report) -> str:
    """Return the HTML of blocks without their comments.

    :param synced: returns the content of a synced ("reusable") block by its id.
    :param post: the id of the post.
    """
    left = iter(range(_MAX_SYNCED))

    def write(part: str, depth: int) -> str:
        return "".join(_without_comments(part, lambda comment: replace(comment, depth)))

    def replace(comment: str, depth: int) -> str:
        found = _BLOCK.fullmatch(comment)
        if found is None or not found[3]:
            return ""
        name = found[1]
        if name == "block" and depth == _MAX_NESTED:
            return ""
        if name == "block" and next(left, None) is not None:
            content = synced(str(_values(found[2]).get("ref", "")))
            if content is not None:
                return write(content, depth + 1)
        report.warn(f"a block without content of its own is removed: {name}", f"post {post}")
        return ""

    return _EMBED.sub(_player, write(html, 0))


def _without_comments(html: str, replace: Callable[[str], str]) -> Iterator[str]:
    """Yield the parts of HTML, and the replacement of each comment."""
    end = 0
    while (start := html.find(_OPENING, end)) != -1:
        stop = html.find(_CLOSING, start)
        if stop == -1:
            break
        yield html[end:start]
        yield replace(html[start + len(_OPENING) : stop])
        end = stop + len(_CLOSING)
    yield html[end:]


def write_bare_addresses(html: str) -> str:
    """Return classic HTML with players for videos whose address is alone in a line."""
    return _BARE_ADDRESS.sub(lambda found: "\n\n" + _player(found) + "\n\n", html)


def _player(found: re.Match[str]) -> str:
    return player(unescape(found[1]))


def _values(text: str | None) -> dict[str, Any]:
    try:
        values = json.loads(text or "{}")
    except ValueError:
        return {}
    return values if isinstance(values, dict) else {}
