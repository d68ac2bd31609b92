"""Rendering a message once for all recipients: inlined styles, plain part, unsubscribe link."""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from masthead_email.rendering.footers import Footer
from masthead_email.rendering.languages import with_language
from masthead_email.rendering.link_placeholders import UNSUBSCRIBE
from masthead_email.rendering.placeholders import parse_html, parse_plain

if TYPE_CHECKING:
    from css_inline import CSSInliner

logger = logging.getLogger(__name__)

_SIGNATURE = "\n\n-- \n"
_END = re.compile(r"(?:</body>\s*)?(?:</html>\s*)?\Z", re.IGNORECASE)
_ESCAPED_BRACE = "&#123;"
_BRACE = "\ufdd0"
"""A noncharacter in place of an escaped brace, which starts no placeholder; the inliner would
decode the reference."""
_DOCTYPE = "<!DOCTYPE html>"
_TRAILING_SPACES = re.compile(r"[ \t]+$", re.MULTILINE)
_BLANK_LINES = re.compile(r"\n{3,}")
_ELEMENT = re.compile(r"<[a-z]")
_PROPERTY = re.compile(r"(?<![\w-])[\w-]++(?=\s*+:)")
_MAX_INLINING_WORK = 10_000_000
"""The limit of style sheet characters times elements; inlining at the limit takes a second. A long
newsletter reaches a hundredth of it."""
_MAX_PROPERTIES = 200
"""The limit of distinct properties; inlining takes quadratic time in those of an element."""


@dataclass(frozen=True)
class RenderedMessage:
    """The parts of a message as stored in the outbox, with placeholders."""

    html: str | None
    text: str


def render_message(
    html: str | None, text: str | None, *, language: str, footer: Footer | None = None
) -> RenderedMessage:
    """Inline styles, derive the plain-text part, and add the unsubscribe footer.

    :param html: None for a plain-text message.
    :param language: the tag of the language of HTML that names none.
    :param footer: the footer of parts without a link to ``{{unsubscribe}}``; None for no footer.
    """
    inlined = _inline_styles(html.replace(_ESCAPED_BRACE, _BRACE)) if html else None
    plain = text if text and text.strip() else plain_part(inlined or "")
    plain = plain.replace(_BRACE + _BRACE, "{ {").replace(_BRACE, "{")
    if inlined is not None:
        inlined = with_language(inlined.replace(_BRACE, _ESCAPED_BRACE), language)
        if footer is not None and not parse_html(inlined).always_shows(UNSUBSCRIBE):
            inlined = _END.sub(lambda end: footer.html + end[0], inlined, count=1)
    if footer is not None and not parse_plain(plain).always_shows(UNSUBSCRIBE):
        plain = f"{plain.rstrip()}{_SIGNATURE}{footer.text.strip()}\n"
    return RenderedMessage(inlined, plain)


def plain_part(html: str) -> str:
    """Return the plain text of HTML; the URL of a link follows its text."""
    # Most processes never render a message, and these modules are large.
    from inscriptis import get_text
    from inscriptis.model.config import ParserConfig

    # The parser of inscriptis raises an error for empty input.
    if not html.strip():
        return ""
    text = get_text(html, ParserConfig(display_links=True, display_anchors=False))
    # Table cells are padded with spaces.
    return _BLANK_LINES.sub("\n\n", _TRAILING_SPACES.sub("", text)).strip() + "\n"


def _inline_styles(html: str) -> str:
    """Copy style sheets into style attributes, for mail clients that drop style sheets."""
    from css_inline import InlineError

    if _exceeds_limits(html):
        logger.warning("Styles of a message aren't inlined: they exceed the limits")
        return html
    try:
        inlined = _inliner().inline(html)
    except InlineError as error:
        logger.warning("Styles of a message aren't inlined: %s", error)
        return html
    # The input may have a doctype already.
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

    # Style sheets are kept for rules that can't be inlined, and none is fetched.
    return CSSInliner(load_remote_stylesheets=False, keep_style_tags=True, keep_link_tags=True)
