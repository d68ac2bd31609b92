"""The links from a content type's items to tags."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from sqlalchemy import (
    Column,
    ForeignKey,
    Index,
    Select,
    Table,
    bindparam,
    delete,
    insert,
    select,
)
from sqlalchemy.orm import Session

from masthead.content.ordering import Order
from masthead.db.changed_rows import PART_OF
from masthead.db.changed_tables import seen_if, touch
from masthead.search.searchable import LinkedText
from masthead.tags.models import Tag

if TYPE_CHECKING:
    from masthead.content.contenttype import ContentType

TAG_IDS = "tagIds"


def tag_links(model: Any, order: Order) -> Table:
    """Return the table of links from a model's items to tags, with a copy of the position."""
    table: Table = model.__table__
    links = Table(
        f"{table.name}_tag",
        table.metadata,
        Column("item_id", ForeignKey(table.c.id, ondelete="CASCADE"), primary_key=True),
        Column("tag_id", ForeignKey(Tag.id, ondelete="CASCADE"), primary_key=True),
        Column("position", order.type, nullable=False),
        info={PART_OF: table.name},
    )
    Index(f"ix_{links.name}_list", links.c.tag_id, links.c.position, links.c.item_id)
    return links


def tag_ids_of(session: Session, content_type: ContentType, item_id: int) -> list[int]:
    """Return the ids of an item's live tags, in ascending order."""
    links = content_type.links
    ids = select(links.c.tag_id).where(links.c.item_id == item_id).order_by(links.c.tag_id)
    return list(session.scalars(ids))


def tag_names_of(session: Session, content_type: ContentType, item_id: int) -> dict[int, str]:
    """Return the names of an item's live tags by id."""
    rows = session.connection().execute(_named_tags(content_type.links), {"item_id": item_id})
    return dict(rows.all())


@cache
def _named_tags(links: Table) -> Select[int, str]:
    """Return the statement that reads the tags of an item; it is built once for each type."""
    tags = Tag.__table__.c
    named = select(tags.id, tags.name).join_from(links, Tag.__table__)
    return named.where(links.c.item_id == bindparam("item_id"))


def live_tag_ids(
    session: Session, content_type: ContentType, ids: Sequence[int]
) -> Mapping[int, list[int]]:
    """Return the ids of the live tags of items, by the items' ids."""
    links, live = content_type.links, defaultdict[int, list[int]](list)
    rows = select(links.c.item_id, links.c.tag_id).where(links.c.item_id.in_(ids))
    for item_id, tag_id in session.execute(rows):
        live[item_id].append(tag_id)
    return live


def live_tag_names(
    session: Session, content_type: ContentType, ids: Sequence[int]
) -> Mapping[int, dict[int, str]]:
    """Return the names of the live tags of items by id, by the items' ids."""
    links, live = content_type.links, defaultdict[int, dict[int, str]](dict)
    rows = select(links.c.item_id, Tag.id, Tag.name).join(Tag, Tag.id == links.c.tag_id)
    for item_id, tag_id, name in session.execute(rows.where(links.c.item_id.in_(ids))):
        live[item_id][tag_id] = name
    return live


def tag_texts(
    session: Session, content_type: ContentType, items: Sequence[Any]
) -> dict[int, LinkedText]:
    """Return the names of the items' tags, live and staged, by the items' ids."""
    live = live_tag_ids(session, content_type, [item.id for item in items])
    staged = {
        item.id: live[item.id] if item.staged is None else item.staged[TAG_IDS] for item in items
    }
    wanted = {tag_id for of in (*live.values(), *staged.values()) for tag_id in of}
    named = select(Tag.id, Tag.name).where(Tag.id.in_(wanted)).order_by(Tag.id)
    names = dict(session.execute(named).all()) if wanted else {}

    def text(tag_ids: Sequence[int]) -> str:
        return "\n".join(names[tag_id] for tag_id in sorted(tag_ids) if tag_id in names)

    return {item_id: LinkedText(text(live[item_id]), text(of)) for item_id, of in staged.items()}


def link_new(
    session: Session, content_type: ContentType, tagged: Iterable[tuple[Any, Sequence[int]]]
) -> None:
    """Link new items to tags.

    :param tagged: flushed items, each with the ids of its tags.
    """
    linked = list(tagged)
    rows: list[Mapping[str, Any]] = [
        {"item_id": item.id, "tag_id": tag_id, "position": item.position}
        for item, tag_ids in linked
        for tag_id in tag_ids
    ]
    if rows:
        seen = seen_if(any(item.published for item, _ in linked))
        session.execute(insert(content_type.links).execution_options(**seen), rows)


def relink(session: Session, content_type: ContentType, item: Any, tag_ids: Sequence[int]) -> None:
    """Replace all links of an item.

    :param tag_ids: the ids of tags that are locked until the transaction ends.
    """
    session.flush()
    links = content_type.links
    former = delete(links).where(links.c.item_id == item.id)
    session.execute(former.execution_options(**seen_if(item.published)))
    link_new(session, content_type, [(item, tag_ids)])
    if item.published:
        # The stored list JSON has the tags, and the item itself may stay as it is.
        touch(session.connection(), content_type.table.name)
