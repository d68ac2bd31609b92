"""The archive: sent newsletters that everybody may read, without any recipient's data."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session

from masthead import (
    NotFound,
    Page,
    SitemapEntry,
    Window,
    organisation_of,
    record,
    touch,
)
from masthead_email.newsletters.models import Newsletter
from masthead_email.newsletters.public_letter import describe, describe_whole, page_path
from masthead_email.newsletters.resource import NEWSLETTERS
from masthead_email.scheduling import SENT


def list_public(session: Session, window: Window) -> Page:
    """Return a page of the public newsletters, newest first."""
    total = session.scalar(select(func.count()).select_from(_public().subquery())) or 0
    newest = _public().order_by(Newsletter.sent_at.desc(), Newsletter.id.desc())
    found = session.scalars(newest.limit(window.limit).offset(window.offset))
    language = organisation_of(session).language
    return Page([describe(session, each, language) for each in found], total)


def sitemap_entries(session: Session) -> list[SitemapEntry]:
    """Return the pages of the public newsletters, newest first."""
    newest = _public().order_by(Newsletter.sent_at.desc(), Newsletter.id.desc())
    found = session.execute(newest.with_only_columns(Newsletter.id, Newsletter.sent_at))
    return [SitemapEntry(page_path(each.id), each.sent_at, on_api=True) for each in found]


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
    return describe_whole(session, newsletter)


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
