"""The footer of letters without an unsubscribe link of their own: templates, and the legal link."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from html import escape

from masthead import Texts
from masthead_email.rendering.link_placeholders import UNSUBSCRIBE
from masthead_email.rendering.placeholders import parse_html, parse_plain

logger = logging.getLogger(__name__)

_LINK = f"{{{{{UNSUBSCRIBE}}}}}"


@dataclass(frozen=True)
class Footer:
    """The ends of both parts of a letter, each with the placeholder of the unsubscribe link."""

    html: str
    text: str


def read_footer(texts: Texts, language: str | None) -> Footer:
    """Return the footer in a language.

    A link is added to a template of the deployer that has none, because laws require it.

    :param language: the tag of the language of the letter; None for that of the organisation.
    """
    known = texts.language(language)
    html = texts.render("email/footer.html", known, unsubscribe=_LINK)
    text = texts.render("email/footer.txt", known, unsubscribe=_LINK)
    word = texts.translate(known, "Unsubscribe")
    if not parse_html(html).always_shows(UNSUBSCRIBE):
        logger.warning("email/footer.html has no unsubscribe link, so one is added")
        html = f'{html.rstrip()}\n<p><a href="{_LINK}">{escape(word)}</a></p>\n'
    if not parse_plain(text).always_shows(UNSUBSCRIBE):
        logger.warning("email/footer.txt has no unsubscribe link, so one is added")
        text = f"{text.rstrip()}\n{word}: {_LINK}\n"
    return Footer(html, text)
