"""Content types with tags, as tags see them."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from sqlalchemy import Table, or_, select
from sqlalchemy.orm import Session

from masthead.instance import instance_of


@runtime_checkable
class Tagged(Protocol):
    """A content type with a table of links between its items and tags."""

    @property
    def table(self) -> Table:
        """The table of the items; its column ``staged`` holds copies with their own tags."""

    @property
    def links(self) -> Table:
        """The table of the links, with ``item_id`` and ``tag_id``."""


def lock_tagged(session: Session, tag_id: int) -> None:
    """Lock all items with a tag, and all with a staged copy, as the copy may have the tag.

    Call it before locking the tag: an edit locks its item before its tags, too.
    """
    for content_type in instance_of(session).content_types.values():
        if isinstance(content_type, Tagged):
            items, links = content_type.table.c, content_type.links.c
            tagged = select(links.item_id).where(links.tag_id == tag_id)
            has_tag = or_(items.id.in_(tagged), items.staged.is_not(None))
            ids = select(items.id).where(has_tag).order_by(items.id)
            session.execute(ids.with_for_update())
