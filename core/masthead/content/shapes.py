"""The shapes of content in answers: for the public, and for staff."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import Text, cast, false, func, select
from sqlalchemy.sql.selectable import Select

from masthead.approval.declaration import APPROVAL_FIELDS
from masthead.auth.models import User
from masthead.content.contenttype import ContentType
from masthead.content.period import ALL_DAY, PeriodConditions
from masthead.content.visibility import EXPIRED, STATES, VISIBLE, has_expired, seen_since, state
from masthead.db import wire_time
from masthead.db.slugs import slug_base
from masthead.http.images import image_names, images_of
from masthead.instance import Instance
from masthead.references.declared import list_shape
from masthead.references.reading import public_columns
from masthead.resources.declaration import ID_HELP, TIMES
from masthead.schemas.common import USER_REFERENCE
from masthead.schemas.computed import computed_columns
from masthead.schemas.field_types import Bool, Choice, FieldType, Int, Str, Timestamp
from masthead.schemas.fields import Field, shown_kind
from masthead.schemas.language_tags import DIRECTION
from masthead.schemas.schema import Nullable, Object, required, schema
from masthead.schemas.shapes import Column, Shape, json_object
from masthead.settings import Settings
from masthead.tags.models import Tag
from masthead.tags.schemas import TAGS

LANG, DIR = "lang", "dir"
"""An item's language, and the direction of its script."""
_TAG = Tag.__table__
_USER = User.__table__
AUTHOR = Nullable(
    Object(
        schema(
            {"displayName": required(Str(), help="The name to show.", example="Ada Lovelace")},
            name="Author",
            help="The author of an item.",
        )
    )
).described("The user who created it; null for one without a name to show.")


UPDATED = "updatedAt"
UPDATED_KIND = Timestamp().described(
    "The time since which the public sees it as it is.", "2026-03-02T16:05:00.000Z"
)
VISIBILITY = "visibility"
VISIBILITY_KIND = Choice(*STATES).described(
    "Whether the public sees it now: `hidden` is not published, `scheduled` and `expired` are"
    " published, but before or after their time.",
    VISIBLE,
)
EXPIRED_KIND = Bool().described(
    "Whether its time is over, so that lists leave it out; always false in lists.", False
)
ALL_DAY_KIND = Bool().described("Whether it lasts whole days, that of its end included.")


def public_shape(content_type: ContentType, instance: Instance, *, detail: bool) -> Shape:
    """Return the shape of an item for the public, in a list or alone."""
    dialect = instance.database.dialect
    shown = [
        f.name for f in content_type.fields if f.public and _shown(content_type, f, detail=detail)
    ]
    columns = _fields(content_type, ("id", *shown, DIR), instance)
    columns += computed_columns(
        content_type.table, content_type.computed, detail=detail, public=True
    )
    columns += [tags_column(content_type, dialect), author_column(content_type, dialect)]
    columns.append(updated_column(content_type))
    return Shape([*columns, *_expired(content_type, detail=detail)])


@list_shape.register
def _list_shape(content_type: ContentType, instance: Instance) -> Shape:
    return public_shape(content_type, instance, detail=False)


def related_shape(content_type: ContentType, instance: Instance) -> Shape:
    """Return the shape of an item in a list of related items."""
    names = content_type.related_fields or (
        "id",
        *(f.name for f in content_type.fields if f.public and f.listed),
        DIR,
    )
    columns = _fields(content_type, names, instance)
    return Shape([*columns, *_expired(content_type, detail=False)])


def _expired(content_type: ContentType, *, detail: bool) -> list[Column]:
    """Return the field that says whether an item has expired, if the public could see it then."""
    if not content_type.keeps_detail:
        return []
    # Lists leave out expired items.
    is_past = has_expired(content_type.table) if detail else false()
    return [Column(EXPIRED, is_past, EXPIRED_KIND)]


def _fields(content_type: ContentType, names: Iterable[str], instance: Instance) -> list[Column]:
    """Return the fields of columns, and after them those that are made of them."""
    feed, period, images = content_type.feed, content_type.period, images_of(instance)
    references = public_columns(content_type.fields, content_type.columns, instance)
    beside = image_names(content_type.fields, (feed.image,) if feed else ())
    columns = []
    for name in names:
        columns.append(references.get(name) or plain(content_type, name, public=True))
        if name in beside:
            columns.append(images.column(beside[name], content_type.columns[name]))
        if period is not None and name == period.end:
            conditions = period_conditions(content_type, instance.settings)
            assert conditions is not None
            columns.append(Column(ALL_DAY, conditions.all_day, ALL_DAY_KIND))
    return columns


def period_conditions(content_type: ContentType, settings: Settings) -> PeriodConditions | None:
    """Return the conditions on the periods of a content type's items, if these have one."""
    if content_type.period is None:
        return None
    table = content_type.table
    return PeriodConditions(content_type.period, content_type.columns, table.c.position, settings)


def staff_shape(content_type: ContentType, dialect: str, *, detail: bool) -> Shape:
    """Return the shape of an item for staff: the live fields, without the staged edits.

    Its statements take the time as ``NOW``.
    """
    fields = [f.name for f in content_type.fields if detail or f.name != "content"]
    names = ("id", *fields, DIR, *STAFF_FIELDS)
    columns = [plain(content_type, name) for name in names]
    columns += computed_columns(content_type.table, content_type.computed, detail=detail)
    columns += [user_column(content_type, dialect, name) for name in _USERS]
    columns.append(Column(VISIBILITY, state(content_type.table), VISIBILITY_KIND))
    if detail:
        columns.append(tags_column(content_type, dialect))
    return Shape(columns)


DIR_KIND = Nullable(DIRECTION).described("The direction of its script; null if `lang` is.")
STAFF_FIELDS: Mapping[str, FieldType] = {
    "published": Bool().described("Whether it is published."),
    **APPROVAL_FIELDS,
    **TIMES,
}
_USERS: Mapping[str, tuple[str, str]] = {
    "createdBy": ("created_by", "The user who created it."),
    "editedBy": ("edited_by", "The user who made the last edit."),
    "approvalRequestedByUser": ("approval_requested_by", "The user who requested the approval."),
    "approvedByUser": ("approved_by", "The user who approved it."),
    "rejectedByUser": ("rejected_by", "The user who rejected it."),
}
"""The fields with a user in staff answers, each with its column and meaning."""


def _slug(content_type: ContentType) -> FieldType:
    """Return the type of slugs; the example of a title leads to that of its slug."""
    title = content_type.example.get("title", "An example")
    meaning = "Its part of an address, which is unique among the items of this type."
    return Nullable(Str()).described(meaning, slug_base(title))


def plain(content_type: ContentType, name: str, *, public: bool = False) -> Column:
    """Return the field of a column of the table.

    :param public: whether the item is public, so that fewer values can be null.
    """
    column = content_type.columns[name]
    kinds: dict[str, FieldType] = {f.name: shown_kind(f.kind) for f in content_type.fields}
    kinds |= {"id": Int().described(ID_HELP), "slug": _slug(content_type), DIR: DIR_KIND}
    kinds |= STAFF_FIELDS
    kind = kinds[name]
    if public and isinstance(kind, Nullable) and name in ("slug", content_type.first_published):
        kind = kind.inner.described(kind.help, kind.example)
    return Column(name, kind.wire(column), kind)


def tags_column(content_type: ContentType, dialect: str) -> Column:
    """Return the field of an item's live tags, ordered by name."""
    links, items = content_type.links, content_type.table
    tags = (
        select(_TAG.c.id, _TAG.c.name, _TAG.c.slug)
        .join_from(links, _TAG, links.c.tag_id == _TAG.c.id)
        .where(links.c.item_id == items.c.id)
        .order_by(_TAG.c.sort_key, _TAG.c.id)
        .correlate(items)
        .subquery()
    )
    tag = json_object(dialect, {c.name: c for c in tags.c})
    collect = func.json_group_array if dialect == "sqlite" else func.json_agg
    array = select(func.coalesce(cast(collect(tag), Text), "[]")).scalar_subquery()
    return Column("tags", array, TAGS.described("Its tags, by name."), is_json=True)


def author_column(content_type: ContentType, dialect: str) -> Column:
    """Return the field of the creator for the public: null without a display name."""
    author = {"displayName": _USER.c.display_name}
    creator = _user(content_type, dialect, author, "created_by").where(_USER.c.display_name != "")
    return Column("author", creator.scalar_subquery(), AUTHOR, is_json=True)


def user_column(content_type: ContentType, dialect: str, name: str) -> Column:
    """Return the field of a user for staff, whose id is in a column of the item."""
    column, meaning = _USERS[name]
    user = {"id": _USER.c.id, "username": _USER.c.username, "displayName": _USER.c.display_name}
    found = _user(content_type, dialect, user, column)
    kind = Nullable(Object(USER_REFERENCE)).described(meaning)
    return Column(name, found.scalar_subquery(), kind, is_json=True)


def updated_column(content_type: ContentType) -> Column:
    """Return the field of the time since which the public sees an item as it is."""
    return Column(UPDATED, wire_time(seen_since(content_type.table)), UPDATED_KIND)


def _user(
    content_type: ContentType, dialect: str, shown: Mapping[str, Any], column: str
) -> Select[Any]:
    items = content_type.table
    user = select(cast(json_object(dialect, shown), Text))
    return user.where(_USER.c.id == items.c[column]).correlate(items)


def _shown(content_type: ContentType, field: Field, *, detail: bool) -> bool:
    return detail or field.listed or (field.name == "content" and content_type.list_content)
