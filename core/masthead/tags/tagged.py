"""Kinds of content whose items have tags, as far as tags need to know them."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from sqlalchemy import Table, select
from sqlalchemy.orm import Session

from masthead.instance import instance_of


@runtime_checkable
class Tagged(Protocol):
    """A kind of content with a table of links between its items and tags."""

    @property
    def table(self) -> Table:
        """The items."""

    @property
    def links(self) -> Table:
        """Their links: ``item_id`` and ``tag_id``."""


def lock_tagged(session: Session, tag_id: int) -> None:
    """Lock all items of a tag; before the tag itself, as an edit locks its item before its tags."""
    for kind in instance_of(session).content_types.values():
        if isinstance(kind, Tagged):
            tagged = select(kind.links.c.item_id).where(kind.links.c.tag_id == tag_id)
            items = select(kind.table.c.id).where(kind.table.c.id.in_(tagged))
            session.execute(items.order_by(kind.table.c.id).with_for_update())
