"""Staged edits: the new fields of a published item beside its live ones, until approved."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Table, Text, bindparam, cast, select, update
from sqlalchemy.orm import Session

from masthead.content.taglinks import relink, tag_ids_of
from masthead.schemas.fields import staged_among
from masthead.tags.services import keep_tags

if TYPE_CHECKING:
    from masthead.content.contenttype import ContentType

TAG_IDS = "tagIds"


def shown_values(content_type: ContentType, item: Any) -> dict[str, Any]:
    """The fields of an item as staff see them, by wire name: staged over live."""
    values = {f.name: getattr(item, f.attribute) for f in content_type.fields}
    if item.staged is None:
        return values
    counting = staged_among(content_type.fields, item.staged)
    return values | {f.name: f.kind.restore(item.staged[f.name]) for f in counting}


def shown_tag_ids(session: Session, content_type: ContentType, item: Any) -> list[int]:
    """The ids of an item's tags as staff see them: staged over live."""
    if item.staged is None:
        return tag_ids_of(session, content_type, item.id)
    staged: list[int] = item.staged[TAG_IDS]
    return staged


def stage(
    session: Session, content_type: ContentType, item: Any, values: Mapping[str, Any]
) -> None:
    """Keep values beside the live ones.

    :param values: all fields by wire name; without ``tagIds`` the tags stay as staff see them.
    """
    staged = {f.name: f.kind.dump(values[f.name]) for f in content_type.staged_fields}
    kept = TAG_IDS not in values
    tag_ids = shown_tag_ids(session, content_type, item) if kept else values[TAG_IDS]
    item.staged = staged | {TAG_IDS: tag_ids}


def live_values(content_type: ContentType, item: Any) -> dict[str, Any]:
    """The live values of the fields whose edits are staged, as a staged copy has them."""
    return {f.name: f.kind.dump(getattr(item, f.attribute)) for f in content_type.staged_fields}


def stage_along(content_type: ContentType, item: Any, before: Mapping[str, Any]) -> None:
    """Change in the staged copy what was changed live, where it is no edit of anybody's.

    :param before: the ``live_values`` before the change.
    """
    if item.staged is None:
        return
    changed = {
        name: value
        for name, value in live_values(content_type, item).items()
        if value != before[name]
    }
    along = {
        name: value for name, value in changed.items() if item.staged.get(name) == before[name]
    }
    if along:
        item.staged = item.staged | along


def apply_staged(session: Session, content_type: ContentType, item: Any) -> None:
    """Make the staged values of an item that has some the live ones."""
    for each in staged_among(content_type.fields, item.staged):
        setattr(item, each.attribute, each.kind.restore(item.staged[each.name]))
    relink(session, content_type, item, sorted(keep_tags(session, item.staged[TAG_IDS])))
    item.staged = None


def untag_staged(connection: Connection, table: Table, tag_id: int) -> None:
    """Take a tag that goes out of the staged copies, each of which is another revision then."""
    tag_ids = table.c.staged[TAG_IDS]
    # Whatever has the id's digits somewhere: few copies of the few that there are.
    likely = cast(tag_ids, Text).contains(str(tag_id))
    copies = select(table.c.id, table.c.staged).where(likely).order_by(table.c.id)
    rest = [
        {
            "item_id": item_id,
            "rest": staged | {TAG_IDS: [i for i in staged[TAG_IDS] if i != tag_id]},
        }
        for item_id, staged in connection.execute(copies)
        if tag_id in staged[TAG_IDS]
    ]
    if rest:
        revised = {"staged": bindparam("rest"), "revision": table.c.revision + 1}
        connection.execute(
            update(table).where(table.c.id == bindparam("item_id")).values(revised), rest
        )
