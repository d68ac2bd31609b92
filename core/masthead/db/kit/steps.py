"""The steps of the kit, as frozen as a revision of Alembic.

What a mixin declares and what the steps add up to is the same; a test compares them.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import JSON, Boolean, Integer, String, Text

from masthead.db.kit.declaration import ITEMS, KitColumn, KitIndex, KitPart, KitStep, in_order
from masthead.db.types import ID, KEY, UTCDateTime

APPROVABLE, CONTENT, RESOURCE, NAMED = "approvable", "content", "resource", "named"
"""The names of the kits; a mixin names its own as ``__kit__``."""
_INCLUDED = {CONTENT: (APPROVABLE,)}
"""The kits that another one includes."""
_USER = "core_user.id"

_NUMBER = KitColumn("id", ID, nullable=False, primary_key=True, leads=True)
_KEPT = (
    KitColumn("revision", Integer(), nullable=False),
    KitColumn("created_at", UTCDateTime(), nullable=False),
    KitColumn("updated_at", UTCDateTime(), nullable=False),
)
_FIRST_APPROVABLE = KitPart(
    columns=(
        _NUMBER,
        KitColumn("title", String(), nullable=False, leads=True),
        KitColumn("published", Boolean(), nullable=False),
        KitColumn("approval_status", String(8), nullable=False),
        KitColumn("approval_requested_at", UTCDateTime()),
        KitColumn("approval_requested_by", ID, references=_USER),
        KitColumn("approved_at", UTCDateTime()),
        KitColumn("approved_by", ID, references=_USER),
        KitColumn("rejected_at", UTCDateTime()),
        KitColumn("rejected_by", ID, references=_USER),
        KitColumn("rejection_reason", String()),
        KitColumn("revision", Integer(), nullable=False),
        KitColumn("created_by", ID, references=_USER),
        KitColumn("edited_by", ID, references=_USER),
        KitColumn("created_at", UTCDateTime(), nullable=False),
        KitColumn("updated_at", UTCDateTime(), nullable=False),
    ),
    indexes=(KitIndex("created_by", ("created_by",)),),
)
_FIRST_CONTENT = KitPart(
    columns=(
        KitColumn("title", Text(), nullable=False, leads=True),
        KitColumn("slug", KEY, unique=True, leads=True),
        KitColumn("description", Text(), leads=True),
        KitColumn("scheduled_publish_at", UTCDateTime(), leads=True),
        KitColumn("first_published_at", UTCDateTime()),
        KitColumn("changed_at", UTCDateTime(), nullable=False),
        KitColumn("listed", Text()),
        KitColumn("content", Text()),
        KitColumn("staged", JSON(none_as_null=True)),
        KitColumn("position", None, nullable=False),
    ),
    indexes=(
        KitIndex("hidden", ("id",), {"sqlite": "published = 0", "postgresql": "NOT published"}),
        KitIndex("position", ("position", "id")),
        KitIndex(
            "public", ("position", "id"), {"sqlite": "published = 1", "postgresql": "published"}
        ),
        KitIndex("scheduled_publish_at", ("scheduled_publish_at",)),
        KitIndex(
            "unlisted",
            ("id",),
            {
                "sqlite": "listed IS NULL AND published = 1",
                "postgresql": "listed IS NULL AND published",
            },
        ),
    ),
)
_FIRST_TAG_LINKS = KitPart(
    columns=(
        KitColumn(
            "item_id",
            ID,
            nullable=False,
            references="{items}.id",
            ondelete="CASCADE",
            primary_key=True,
        ),
        KitColumn(
            "tag_id",
            ID,
            nullable=False,
            references="core_tag.id",
            ondelete="CASCADE",
            primary_key=True,
        ),
        KitColumn("position", None, nullable=False),
    ),
    indexes=(KitIndex("list", ("tag_id", "position", "item_id")),),
)

STEPS = in_order(
    KitStep(
        1,
        {
            APPROVABLE: {ITEMS: _FIRST_APPROVABLE},
            CONTENT: {ITEMS: _FIRST_CONTENT, "_tag": _FIRST_TAG_LINKS},
            RESOURCE: {ITEMS: KitPart((_NUMBER, *_KEPT))},
            NAMED: {
                ITEMS: KitPart(
                    (KitColumn("id", KEY, nullable=False, primary_key=True, leads=True), *_KEPT)
                )
            },
        },
    ),
)
"""All steps in order; the number of each is its place."""


def newest() -> int:
    """The number of the kit that this release has."""
    return len(STEPS)


def first_of(kit: str) -> int:
    """The number of the step that brought a kit."""
    return next(step.number for step in STEPS if kit in step.parts)


def parts_of(kit: str, step: KitStep) -> Iterator[tuple[str, KitPart]]:
    """What a step adds to the tables of a kit, with what the name of each table ends in."""
    for name in (*_INCLUDED.get(kit, ()), kit):
        yield from step.parts.get(name, {}).items()
