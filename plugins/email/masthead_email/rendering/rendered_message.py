"""What is done to a mail once, before it goes to anybody."""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from masthead_email.rendering.placeholders import names

if TYPE_CHECKING:
    from css_inline import CSSInliner

logger = logging.getLogger(__name__)

_HTML_FOOTER = (
    '<p style="margin:24px 0 0;font-size:12px;color:#6b6b6b">'
    '<a href="{{unsubscribe}}" style="color:inherit">Unsubscribe</a></p>'
)
_TEXT_FOOTER = "\n\n-- \nUnsubscribe: {{unsubscribe}}\n"
_END = re.compile(r"(?:</body>\s*)?(?:</html>\s*)?\Z", re.IGNORECASE)
_DOCTYPE = "<!DOCTYPE html>"
_TRAILING_SPACES = re.compile(r"[ \t]+$", re.MULTILINE)
_BLANK_LINES = re.compile(r"\n{3,}")
_ELEMENT = re.compile(r"<[a-z]")
_PROPERTY = re.compile(r"(?<![\w-])[\w-]++(?=\s*+:)")
_MAX_INLINING_WORK = 10_000_000
"""Characters of style sheets times elements. A long newsletter comes to a hundredth of it, and what
is at the limit takes a second."""
_MAX_PROPERTIES = 200
"""Names of properties; each one that an element has is compared with the others of that element."""


@dataclass(frozen=True)
class RenderedMessage:
    """A mail as it is stored in the outbox, placeholders still in it."""

    html: str | None
    text: str


def render_message(html: str | None, text: str | None, *, unsubscribe: bool) -> RenderedMessage:
    """Make a mail ready: styles inlined, a plain part, a way to unsubscribe.

    :param html: None for a mail of plain text.
    :param unsubscribe: whether its parts have to lead to ``{{unsubscribe}}``.
    """
    inlined = _inline_styles(html) if html else None
    plain = text if text and text.strip() else plain_part(inlined or "")
    if unsubscribe:
        inlined = _with_footer(inlined) if inlined else None
        if "unsubscribe" not in names(plain):
            plain = plain.rstrip() + _TEXT_FOOTER
    return RenderedMessage(inlined, plain)


def plain_part(html: str) -> str:
    """The text of a mail for who reads no HTML; links stand behind what leads to them."""
    # Most processes never make a mail, and these are large.
    from inscriptis import get_text
    from inscriptis.model.config import ParserConfig

    # Where there is nothing, inscriptis' parser says so by raising.
    if not html.strip():
        return ""
    text = get_text(html, ParserConfig(display_links=True, display_anchors=False))
    # Columns of tables are padded to their width.
    return _BLANK_LINES.sub("\n\n", _TRAILING_SPACES.sub("", text)).strip() + "\n"


def _inline_styles(html: str) -> str:
    """The mail with its style sheets copied to where they apply, for readers that drop them."""
    from css_inline import InlineError

    if _exceeds_limits(html):
        logger.warning("A mail's styles stay where they are: they are too many for its size")
        return html
    try:
        inlined = _inliner().inline(html)
    except InlineError as error:
        logger.warning("A mail's styles stay where they are: %s", error)
        return html
    # What was written as a document has one of its own.
    return inlined if inlined.startswith(_DOCTYPE) else f"{_DOCTYPE}\n{inlined}"


def _exceeds_limits(html: str) -> bool:
    html = html.lower()
    sheets = "".join(rest.partition("</style")[0] for rest in html.split("<style")[1:])
    elements = sum(1 for _ in _ELEMENT.finditer(html))
    properties = set(_PROPERTY.findall(sheets))
    return len(sheets) * elements > _MAX_INLINING_WORK or len(properties) > _MAX_PROPERTIES


@cache
def _inliner() -> CSSInliner:
    from css_inline import CSSInliner

    # Style sheets stay too, for what can't be inlined; none is ever fetched.
    return CSSInliner(load_remote_stylesheets=False, keep_style_tags=True, keep_link_tags=True)


def _with_footer(html: str) -> str:
    if "unsubscribe" in names(html):
        return html
    return _END.sub(lambda end: _HTML_FOOTER + end[0], html, count=1)
