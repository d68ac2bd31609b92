"""The audience of a newsletter: all subscribers, or those that its fields select."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from masthead import NotFound, has_any, utcnow
from masthead_email.newsletters.models import Newsletter
from masthead_email.newsletters.segments import with_field_values
from masthead_email.subscribers.engagement import engaged_since, idle_since
from masthead_email.subscribers.models import SUBSCRIBED, Subscriber, has_language, is_paused


def in_audience(session: Session, newsletter: Newsletter) -> list[ColumnElement[bool]]:
    """Return the conditions under which a subscriber gets a newsletter."""
    return [*_subscribed(session, newsletter), ~is_paused(Subscriber, utcnow())]


def count_paused(session: Session, newsletter: Newsletter) -> int:
    """Return the number of subscribers who don't get a newsletter because of a pause."""
    return _count(session, [*_subscribed(session, newsletter), is_paused(Subscriber, utcnow())])


def count(session: Session, newsletter_id: int) -> int:
    """Return the number of subscribers who would get a newsletter now.

    :raises NotFound: if the newsletter doesn't exist.
    """
    newsletter = session.get(Newsletter, newsletter_id)
    if newsletter is None:
        raise NotFound
    return _count(session, in_audience(session, newsletter))


def _count(session: Session, conditions: Sequence[ColumnElement[bool]]) -> int:
    return session.scalar(select(func.count()).select_from(Subscriber).where(*conditions)) or 0


def _subscribed(session: Session, newsletter: Newsletter) -> list[ColumnElement[bool]]:
    fields = with_field_values(newsletter.audience_fields)
    return [Subscriber.status == SUBSCRIBED, *_selected(session, newsletter), *fields]


def _selected(session: Session, newsletter: Newsletter) -> Iterator[ColumnElement[bool]]:
    if newsletter.audience_topics:
        yield has_any(Subscriber.topics, newsletter.audience_topics)
    if newsletter.audience_sources:
        yield Subscriber.source.in_(newsletter.audience_sources)
    if newsletter.audience_languages:
        yield has_language(Subscriber.language, newsletter.audience_languages)
    if newsletter.audience_since is not None:
        yield Subscriber.created_at >= newsletter.audience_since
    if newsletter.audience_engaged_since is not None:
        yield engaged_since(session, newsletter.audience_engaged_since)
    if newsletter.audience_idle_since is not None:
        yield idle_since(session, newsletter.audience_idle_since)
