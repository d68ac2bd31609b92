"""A newsletter as everybody may read it, without any recipient's data."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from sqlalchemy.orm import Session

from masthead import LinkPreview, Object, api_address, instance_of, organisation_of
from masthead_email.newsletters import schemas
from masthead_email.newsletters.models import Newsletter
from masthead_email.outbox.messages import mail_html
from masthead_email.rendering.link_placeholders import ARCHIVE, PREFERENCES, UNSUBSCRIBE
from masthead_email.rendering.placeholders import parse_header, parse_html, replace

PATH: Final = "/api/newsletters"
_NO_LINK = re.compile(
    r'(<a(?: [a-z-]+="[^"<>]*")*?)'
    r' href="\{\{\s*(?:unsubscribe|preferences)\b[^"{}]*\}\}"'
)


def archive_values(session: Session, newsletter: Newsletter) -> dict[str, str]:
    """Return the placeholder value of the letter's page; none if the letter isn't public."""
    return {ARCHIVE: _address(session, newsletter.id)} if newsletter.public else {}


def describe(session: Session, newsletter: Newsletter, language: str) -> dict[str, Any]:
    """Return the public facts; the language is that of newsletters without one of their own."""
    return {
        "id": newsletter.id,
        "title": newsletter.title,
        "subject": parse_header(newsletter.subject).filled({}),
        "language": newsletter.language or language,
        "sentAt": newsletter.sent_at,
        "url": _address(session, newsletter.id),
    }


def describe_whole(session: Session, newsletter: Newsletter) -> dict[str, Any]:
    """Return the public facts with the HTML as recipients without a name read it."""
    html = _NO_LINK.sub(r"\1", mail_html(session, newsletter.html_content))
    for name in (UNSUBSCRIBE, PREFERENCES):
        html = replace(html, name, "")
    filled = parse_html(html).filled(archive_values(session, newsletter))
    facts = describe(session, newsletter, organisation_of(session).language)
    return {**facts, "html": filled}


def page_path(newsletter_id: int) -> str:
    """Return the path of the page with a newsletter."""
    return f"{PATH}/{newsletter_id}/page"


def _address(session: Session, newsletter_id: int) -> str:
    return api_address(instance_of(session).settings, page_path(newsletter_id))


def _preview(session: Session, newsletter: Newsletter) -> Mapping[str, Any]:
    found = describe_whole(session, newsletter)
    shown: Mapping[str, Any] = Object(schemas.ARCHIVED).dump(
        {**found, "html": schemas.PAGE_HTML.cleaned(found["html"])}
    )
    return shown


PREVIEW = LinkPreview(_preview)
"""The preview links, which show a newsletter as the archive would, whether it will be in it or
not."""
