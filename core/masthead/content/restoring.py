"""Restoring a deleted item of content, unpublished and with a free slug."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy.orm import Session

from masthead.approval.transitions import end_request
from masthead.content.contenttype import ContentType
from masthead.content.slugs import derive_slugs
from masthead.content.taglinks import TAG_IDS, link_new
from masthead.db import utcnow
from masthead.search.services import index_items
from masthead.tags.services import keep_tags


def restore_item(
    session: Session, content_type: ContentType, item: Any, links: Mapping[str, Sequence[int]]
) -> None:
    """Insert an item that was deleted, with its former id.

    It stays approved if it was, so that it can be published at once. A request for approval ends,
    because its notifications have been read by now.

    :param links: the ids of its tags, by the name of the links.
    """
    now, tag_ids = utcnow(), links[TAG_IDS]
    staged = [] if item.staged is None else item.staged[TAG_IDS]
    existing = keep_tags(session, sorted({*tag_ids, *staged}))
    if item.staged is not None:
        item.staged = item.staged | {TAG_IDS: sorted(existing.intersection(staged))}
    item.published = False
    end_request(item)
    item.revision += 1
    item.updated_at = item.changed_at = now
    content_type.date_first_publishing(item, now)
    if item.slug is None:
        session.add(item)
        session.flush()
    else:
        derive_slugs(session, content_type, [(item, item.slug)])
    link_new(session, content_type, [(item, sorted(existing.intersection(tag_ids)))])
    index_items(session, content_type, [item])
