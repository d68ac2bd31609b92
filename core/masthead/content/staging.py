"""Staged edits: new values for a published item, stored beside the live ones until approval."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

from sqlalchemy import ColumnElement, Connection, Table, Text, bindparam, cast, select, update
from sqlalchemy.orm import Session

from masthead.content.taglinks import TAG_IDS, relink, tag_ids_of, tag_names_of
from masthead.errors import ProblemCode, WrongValue
from masthead.schemas.field_types import FieldType, Int
from masthead.schemas.fields import Field, staged_among
from masthead.schemas.schema import ListOf
from masthead.schemas.slugs import SLUG_FIELD
from masthead.schemas.stored import keeps_blank
from masthead.settings import Settings
from masthead.tags.models import Tag
from masthead.tags.services import keep_tags

if TYPE_CHECKING:
    from masthead.content.contenttype import ContentType


class StagedCopy(FieldType):
    """The staged edits of an item as they are stored; fields of other releases are dropped."""

    def __init__(self, fields: Sequence[Field]) -> None:
        self._fields = fields

    def bound(self, settings: Settings) -> Self:
        """Bind the types of the fields."""
        clone = copy(self)
        clone._fields = [replace(each, kind=each.kind.bound(settings)) for each in self._fields]
        return clone

    def parse(self, value: Any) -> dict[str, Any]:
        """Return the staged edits with each value cleaned; ``ValueError`` names a wrong field."""
        if not isinstance(value, dict) or TAG_IDS not in value:
            raise WrongValue(ProblemCode.NOT_AN_OBJECT, f"Must be an object with {TAG_IDS}")
        kinds = {each.name: each.kind for each in staged_among(self._fields, value)}
        kinds[TAG_IDS] = ListOf(Int())
        parsed = {}
        for name in value.keys() & kinds.keys():
            try:
                parsed[name] = _parsed(kinds[name], value[name])
            except ValueError as error:
                raise ValueError(f"{name}: {error}") from None
        # In the order of the stored copy.
        return {name: parsed[name] for name in value if name in parsed}

    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema of an object."""
        return {"type": "object"}


def _parsed(kind: FieldType, value: Any) -> Any:
    """Return a staged value, cleaned; a blank text is kept."""
    return value if value == "" and keeps_blank(kind) else kind.dump(kind.parse(value))


def staff_values(content_type: ContentType, item: Any) -> dict[str, Any]:
    """Return the fields of an item by wire name: the staged values, and the other live ones."""
    values = {f.name: getattr(item, f.attribute) for f in content_type.fields}
    if item.staged is None:
        return values
    counting = staged_among(content_type.fields, item.staged)
    return values | {f.name: f.kind.restore(item.staged[f.name]) for f in counting}


def staged_values(content_type: ContentType, staged: Mapping[str, Any]) -> dict[str, Any]:
    """Return the staged values that count, as JSON values by wire name, with the ids of tags."""
    counting = staged_among(content_type.fields, staged)
    return {f.name: staged[f.name] for f in counting} | {TAG_IDS: staged[TAG_IDS]}


def staff_tag_ids(session: Session, content_type: ContentType, item: Any) -> list[int]:
    """Return the ids of an item's staged tags, or of its live ones if nothing is staged."""
    if item.staged is None:
        return tag_ids_of(session, content_type, item.id)
    staged: list[int] = item.staged[TAG_IDS]
    return staged


def staff_tag_names(session: Session, content_type: ContentType, item: Any) -> dict[int, str]:
    """Return the names of an item's staged tags, or of its live ones if nothing is staged."""
    if item.staged is None:
        return tag_names_of(session, content_type, item.id)
    ids = item.staged[TAG_IDS]
    named = select(Tag.id, Tag.name).where(Tag.id.in_(ids))
    return dict(session.execute(named).all()) if ids else {}


def stage(
    session: Session, content_type: ContentType, item: Any, values: Mapping[str, Any]
) -> None:
    """Store values as the staged edits of an item.

    :param values: all fields by wire name; without ``tagIds``, the tags that staff see are kept.
    """
    staged = {f.name: f.kind.dump(values[f.name]) for f in content_type.staged_fields}
    kept = TAG_IDS not in values
    tag_ids = staff_tag_ids(session, content_type, item) if kept else values[TAG_IDS]
    item.staged = staged | {TAG_IDS: tag_ids}


def live_values(content_type: ContentType, item: Any) -> dict[str, Any]:
    """Return the live values of the fields that can be staged, in the form of staged edits."""
    return {f.name: f.kind.dump(getattr(item, f.attribute)) for f in content_type.staged_fields}


def sync_unedited(content_type: ContentType, item: Any, before: Mapping[str, Any]) -> None:
    """Copy changed live values to the staged ones, except where these are edits.

    :param before: the ``live_values`` before the change.
    """
    if item.staged is None:
        return
    unedited = {
        name: value
        for name, value in live_values(content_type, item).items()
        if value != before[name] and item.staged.get(name) == before[name]
    }
    if unedited:
        item.staged = item.staged | unedited


def apply_staged(session: Session, content_type: ContentType, item: Any) -> str | None:
    """Make the staged values of an item live; it has to have some.

    :returns: the slug that the item is to have, which isn't live yet.
    """
    wanted: str | None = item.staged.get(SLUG_FIELD, item.slug)
    for each in staged_among(content_type.fields, item.staged):
        if each.name != SLUG_FIELD:
            setattr(item, each.attribute, each.kind.restore(item.staged[each.name]))
    relink(session, content_type, item, sorted(keep_tags(session, item.staged[TAG_IDS])))
    item.staged = None
    return wanted


def may_have_staged_tag(table: Table, tag_id: int) -> ColumnElement[bool]:
    """Return a condition that items with a staged tag meet, and few others.

    The others have the id's digits in another id.
    """
    return cast(table.c.staged[TAG_IDS], Text).contains(str(tag_id))


def remove_staged_tag(connection: Connection, table: Table, tag_id: int) -> None:
    """Remove a deleted tag from the staged edits of all items, and raise the items' revision."""
    likely = may_have_staged_tag(table, tag_id)
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
