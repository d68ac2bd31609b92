"""The audience of a newsletter: all subscribers, or those that its fields select."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from masthead import NotFound
from masthead_email.newsletters.models import Newsletter
from masthead_email.newsletters.segments import shares_text, with_field_values
from masthead_email.subscribers.models import SUBSCRIBED, Subscriber, has_language


def in_audience(newsletter: Newsletter) -> list[ColumnElement[bool]]:
    """Return the conditions under which a subscriber gets a newsletter."""
    fields = with_field_values(newsletter.audience_fields)
    return [Subscriber.status == SUBSCRIBED, *_selected(newsletter), *fields]


def count(session: Session, newsletter_id: int) -> int:
    """Return the number of subscribers who would get a newsletter now.

    :raises NotFound: if the newsletter doesn't exist.
    """
    newsletter = session.get(Newsletter, newsletter_id)
    if newsletter is None:
        raise NotFound
    found = select(func.count()).select_from(Subscriber).where(*in_audience(newsletter))
    return session.scalar(found) or 0


def _selected(newsletter: Newsletter) -> Iterator[ColumnElement[bool]]:
    if newsletter.audience_topics:
        yield shares_text(Subscriber.topics, newsletter.audience_topics)
    if newsletter.audience_sources:
        yield Subscriber.source.in_(newsletter.audience_sources)
    if newsletter.audience_languages:
        yield has_language(Subscriber.language, newsletter.audience_languages)
    if newsletter.audience_since is not None:
        yield Subscriber.created_at >= newsletter.audience_since
