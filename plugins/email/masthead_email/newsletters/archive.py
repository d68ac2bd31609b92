"""The archive: sent newsletters that everybody may read, without any recipient's data."""

from __future__ import annotations

import re
from typing import Any, Final

from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session

from masthead import (
    NotFound,
    Page,
    SitemapEntry,
    Window,
    api_address,
    instance_of,
    organisation_of,
    record,
    touch,
)
from masthead_email.newsletters.models import Newsletter
from masthead_email.newsletters.resource import NEWSLETTERS
from masthead_email.outbox.messages import mail_html
from masthead_email.rendering.link_placeholders import ARCHIVE, PREFERENCES, UNSUBSCRIBE
from masthead_email.rendering.placeholders import parse_header, parse_html, replace
from masthead_email.scheduling import SENT

PATH: Final = "/api/newsletters"
_NO_LINK = re.compile(
    r'(<a(?: [a-z-]+="[^"<>]*")*?)'
    r' href="\{\{\s*(?:unsubscribe|preferences)\b[^"{}]*\}\}"'
)


def archive_values(session: Session, newsletter: Newsletter) -> dict[str, str]:
    """Return the placeholder value of the letter's page; none if the letter isn't public."""
    return {ARCHIVE: _address(session, newsletter.id)} if newsletter.public else {}


def list_public(session: Session, window: Window) -> Page:
    """Return a page of the public newsletters, newest first."""
    total = session.scalar(select(func.count()).select_from(_public().subquery())) or 0
    newest = _public().order_by(Newsletter.sent_at.desc(), Newsletter.id.desc())
    found = session.scalars(newest.limit(window.limit).offset(window.offset))
    language = organisation_of(session).language
    return Page([_described(session, each, language) for each in found], total)


def sitemap_entries(session: Session) -> list[SitemapEntry]:
    """Return the pages of the public newsletters, newest first."""
    newest = _public().order_by(Newsletter.sent_at.desc(), Newsletter.id.desc())
    found = session.execute(newest.with_only_columns(Newsletter.id, Newsletter.sent_at))
    return [SitemapEntry(_path(each.id), each.sent_at, on_api=True) for each in found]


def show_change(session: Session, newsletter: Newsletter) -> None:
    """End the cached answers with the public newsletters, whose table is private."""
    if newsletter.public:
        touch(session.connection(), Newsletter.__tablename__)


def read_public(session: Session, newsletter_id: int) -> dict[str, Any]:
    """Return a public newsletter with its HTML as recipients without a name read it.

    :raises NotFound: if it doesn't exist, isn't public or wasn't sent.
    """
    newsletter = session.scalars(_public().where(Newsletter.id == newsletter_id)).one_or_none()
    if newsletter is None:
        raise NotFound("Newsletter not found")
    html = _NO_LINK.sub(r"\1", mail_html(session, newsletter.html_content))
    for name in (UNSUBSCRIBE, PREFERENCES):
        html = replace(html, name, "")
    filled = parse_html(html).filled(archive_values(session, newsletter))
    return {**_described(session, newsletter, organisation_of(session).language), "html": filled}


def withdraw(session: Session, newsletter: Newsletter, actor_id: int) -> None:
    """Remove a newsletter from the archive, also after it was sent."""
    if newsletter.public:
        show_change(session, newsletter)
        newsletter.public = False
        newsletter.revision += 1
        session.flush()
        title = newsletter.title
        record(session, "newsletter.withdraw", actor_id, NEWSLETTERS.name, newsletter, title=title)


def _public() -> Select[Newsletter]:
    return select(Newsletter).where(Newsletter.public.is_(True), Newsletter.status == SENT)


def _address(session: Session, newsletter_id: int) -> str:
    return api_address(instance_of(session).settings, _path(newsletter_id))


def _path(newsletter_id: int) -> str:
    return f"{PATH}/{newsletter_id}/page"


def _described(session: Session, newsletter: Newsletter, language: str) -> dict[str, Any]:
    """Return the public facts; the language is that of newsletters without one of their own."""
    return {
        "id": newsletter.id,
        "title": newsletter.title,
        "subject": parse_header(newsletter.subject).filled({}),
        "language": newsletter.language or language,
        "sentAt": newsletter.sent_at,
        "url": _address(session, newsletter.id),
    }
