"""The links from a content type's items to tags."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sqlalchemy import Column, ForeignKey, Index, Table, delete, insert, select
from sqlalchemy.orm import Session

from masthead.content.ordering import Order
from masthead.tags.models import Tag

if TYPE_CHECKING:
    from masthead.content.contenttype import ContentType


def tag_links(model: Any, order: Order) -> Table:
    """Return the table of links from a model's items to tags, with a copy of the position."""
    table: Table = model.__table__
    links = Table(
        f"{table.name}_tag",
        table.metadata,
        Column("item_id", ForeignKey(table.c.id, ondelete="CASCADE"), primary_key=True),
        Column("tag_id", ForeignKey(Tag.id, ondelete="CASCADE"), primary_key=True),
        Column("position", order.type, nullable=False),
    )
    Index(f"ix_{links.name}_list", links.c.tag_id, links.c.position, links.c.item_id)
    return links


def tag_ids_of(session: Session, content_type: ContentType, item_id: int) -> list[int]:
    """Return the ids of an item's live tags, in ascending order."""
    links = content_type.links
    ids = select(links.c.tag_id).where(links.c.item_id == item_id).order_by(links.c.tag_id)
    return list(session.scalars(ids))


def link_new(
    session: Session, content_type: ContentType, tagged: Iterable[tuple[Any, Sequence[int]]]
) -> None:
    """Link new items to tags.

    :param tagged: flushed items, each with the ids of its tags.
    """
    rows: list[Mapping[str, Any]] = [
        {"item_id": item.id, "tag_id": tag_id, "position": item.position}
        for item, tag_ids in tagged
        for tag_id in tag_ids
    ]
    if rows:
        session.execute(insert(content_type.links), rows)


def relink(session: Session, content_type: ContentType, item: Any, tag_ids: Sequence[int]) -> None:
    """Replace all links of an item.

    :param tag_ids: the ids of tags that are locked until the transaction ends.
    """
    session.flush()
    links = content_type.links
    session.execute(delete(links).where(links.c.item_id == item.id))
    link_new(session, content_type, [(item, tag_ids)])
