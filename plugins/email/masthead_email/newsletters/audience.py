"""The audience of a newsletter: all subscribers, or those that its fields select."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from sqlalchemy import ColumnElement, Text, cast, func, or_, select
from sqlalchemy.orm import Session

from masthead import NotFound, utcnow
from masthead_email.newsletters.models import Newsletter
from masthead_email.subscribers.models import SUBSCRIBED, Subscriber, is_paused


def in_audience(newsletter: Newsletter) -> list[ColumnElement[bool]]:
    """Return the conditions under which a subscriber gets a newsletter."""
    return [*_subscribed(newsletter), ~is_paused(Subscriber, utcnow())]


def count_paused(session: Session, newsletter: Newsletter) -> int:
    """Return the number of subscribers who don't get a newsletter because of a pause."""
    return _count(session, [*_subscribed(newsletter), is_paused(Subscriber, utcnow())])


def count(session: Session, newsletter_id: int) -> int:
    """Return the number of subscribers who would get a newsletter now.

    :raises NotFound: if the newsletter doesn't exist.
    """
    newsletter = session.get(Newsletter, newsletter_id)
    if newsletter is None:
        raise NotFound
    return _count(session, in_audience(newsletter))


def _count(session: Session, conditions: Sequence[ColumnElement[bool]]) -> int:
    return session.scalar(select(func.count()).select_from(Subscriber).where(*conditions)) or 0


def _subscribed(newsletter: Newsletter) -> list[ColumnElement[bool]]:
    return [Subscriber.status == SUBSCRIBED, *_selected(newsletter)]


def _selected(newsletter: Newsletter) -> Iterator[ColumnElement[bool]]:
    if newsletter.audience_topics:
        # The stored JSON contains each topic in quotes.
        stored = cast(Subscriber.topics, Text)
        quoted = map(json.dumps, newsletter.audience_topics)
        # LIKE ignores the case of letters on SQLite.
        yield or_(*(func.replace(stored, topic, "") != stored for topic in quoted))
    if newsletter.audience_sources:
        yield Subscriber.source.in_(newsletter.audience_sources)
    if newsletter.audience_since is not None:
        yield Subscriber.created_at >= newsletter.audience_since
