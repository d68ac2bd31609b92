"""The steps of the kit, which never change once released, like Alembic revisions.

The sum of the steps equals the declarations of the mixins; a test compares them.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import JSON, Boolean, Integer, String, Text

from masthead.db.kit.declaration import ITEMS, KitColumn, KitIndex, KitPart, KitStep, validated
from masthead.db.types import ID, KEY, UTCDateTime

APPROVABLE, CONTENT, RESOURCE, NAMED = "approvable", "content", "resource", "named"
"""The names of the kits; a mixin names its own as ``__kit__``."""
_INCLUDED = {CONTENT: (APPROVABLE,)}
"""The kits that each kit includes."""
_USER = "core_user.id"

_NUMBER = KitColumn("id", ID, nullable=False, primary_key=True, comes_first=True)
_KEPT = (
    KitColumn("revision", Integer(), nullable=False),
    KitColumn("created_at", UTCDateTime(), nullable=False),
    KitColumn("updated_at", UTCDateTime(), nullable=False),
)
_FIRST_APPROVABLE = KitPart(
    columns=(
        _NUMBER,
        KitColumn("title", String(), nullable=False, comes_first=True),
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
        KitColumn("title", Text(), nullable=False, comes_first=True),
        KitColumn("slug", KEY, unique=True, comes_first=True),
        KitColumn("description", Text(), comes_first=True),
        KitColumn("scheduled_publish_at", UTCDateTime(), comes_first=True),
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
_WAITING = dict.fromkeys(
    ("sqlite", "postgresql"), "approval_status = 'approved' AND staged IS NOT NULL"
)

_PENDING = dict.fromkeys(("sqlite", "postgresql"), "approval_status = 'pending'")
_STAGED = dict.fromkeys(("sqlite", "postgresql"), "staged IS NOT NULL")
_TIMES = ("scheduled_publish_at", "scheduled_unpublish_at")
_UNPUBLISHED_LATER = dict.fromkeys(("sqlite", "postgresql"), "scheduled_unpublish_at IS NOT NULL")
_PUBLISHED = {"sqlite": "published = 1", "postgresql": "published"}

STEPS = validated(
    KitStep(
        1,
        {
            APPROVABLE: {ITEMS: _FIRST_APPROVABLE},
            CONTENT: {ITEMS: _FIRST_CONTENT, "_tag": _FIRST_TAG_LINKS},
            RESOURCE: {ITEMS: KitPart((_NUMBER, *_KEPT))},
            NAMED: {
                ITEMS: KitPart(
                    (
                        KitColumn("id", KEY, nullable=False, primary_key=True, comes_first=True),
                        *_KEPT,
                    )
                )
            },
        },
    ),
    KitStep(
        2,
        {CONTENT: {ITEMS: KitPart(indexes=(KitIndex("waiting", ("id",), _WAITING),))}},
    ),
    # The rows before a page are skipped by the index alone, as it has all columns of the predicate.
    KitStep(
        3,
        {
            CONTENT: {
                ITEMS: KitPart(
                    indexes=(
                        KitIndex("visible", ("position", "id", "scheduled_publish_at"), _PUBLISHED),
                    ),
                    replaced_indexes=("public",),
                )
            }
        },
    ),
    KitStep(4, {APPROVABLE: {ITEMS: KitPart((KitColumn("approval_comment", String()),))}}),
    # For the list of pending items, and for the filters and the orders of staff lists.
    KitStep(
        5,
        {
            APPROVABLE: {
                ITEMS: KitPart(
                    indexes=(KitIndex("pending", ("approval_requested_at", "id"), _PENDING),)
                )
            },
            CONTENT: {
                ITEMS: KitPart(
                    indexes=(
                        KitIndex("approval_status", ("approval_status", "position", "id")),
                        KitIndex("created_at", ("created_at", "id")),
                        KitIndex("staged", ("position", "id"), _STAGED),
                        KitIndex("title", ("title", "id")),
                        KitIndex("updated_at", ("updated_at", "id")),
                    )
                )
            },
        },
    ),
    KitStep(
        6,
        {
            CONTENT: {
                ITEMS: KitPart(
                    columns=(
                        KitColumn("lang", Text(), comes_first=True),
                        KitColumn("dir", Text(), comes_first=True),
                    )
                )
            }
        },
    ),
    # For ``updatedSince`` of public lists, which also looks at ``scheduled_publish_at``.
    KitStep(
        7,
        {CONTENT: {ITEMS: KitPart(indexes=(KitIndex("changed_at", ("changed_at", "id")),))}},
    ),
    KitStep(
        8,
        {
            CONTENT: {
                ITEMS: KitPart(
                    columns=(KitColumn("scheduled_unpublish_at", UTCDateTime(), comes_first=True),)
                )
            }
        },
    ),
    # The first index is that of step 3 with all columns of the predicate again.
    KitStep(
        9,
        {
            CONTENT: {
                ITEMS: KitPart(
                    indexes=(
                        KitIndex("shown", ("position", "id", *_TIMES), _PUBLISHED),
                        KitIndex("unpublish", ("scheduled_unpublish_at", "id"), _UNPUBLISHED_LATER),
                    ),
                    replaced_indexes=("visible",),
                )
            }
        },
    ),
)
"""All steps in order; the number of each is its position."""


def newest() -> int:
    """Return the number of this release's kit."""
    return len(STEPS)


def first_of(kit: str) -> int:
    """Return the number of the step that introduced a kit."""
    return next(step.number for step in STEPS if kit in step.parts)


def parts_of(kit: str, step: KitStep) -> Iterator[tuple[str, KitPart]]:
    """Yield the additions of a step to the tables of a kit, each with the suffix of the table."""
    for name in (*_INCLUDED.get(kit, ()), kit):
        yield from step.parts.get(name, {}).items()
