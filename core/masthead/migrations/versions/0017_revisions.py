"""Store the revisions of content and resources."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from masthead.db import ID, KEY, UTCDateTime

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    op.create_table(
        "core_revision",
        sa.Column("id", ID, nullable=False),
        sa.Column("kind", KEY, nullable=False),
        sa.Column("item", KEY, nullable=False),
        sa.Column("number", ID, nullable=False),
        sa.Column("copy", KEY, nullable=False),
        sa.Column("began_at", UTCDateTime(), nullable=False),
        sa.Column("at", UTCDateTime(), nullable=False),
        sa.Column("saves", sa.Integer(), nullable=False),
        sa.Column("user_id", ID, nullable=True),
        sa.Column("client", sa.String(), nullable=True),
        sa.Column("changed", sa.JSON(), nullable=False),
        sa.Column("restored_from", ID, nullable=True),
        sa.Column("digest", KEY, nullable=False),
        sa.Column("approved_at", UTCDateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["user_id"], ["core_user.id"], name=op.f("fk_core_revision_user_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_core_revision")),
        sa.UniqueConstraint(
            "kind", "item", "number", name=op.f("uq_core_revision_kind_item_number")
        ),
        sqlite_autoincrement=True,
    )
    op.create_index(
        op.f("ix_core_revision_kind_item_digest"), "core_revision", ["kind", "item", "digest"]
    )
    op.create_index(op.f("ix_core_revision_user_id"), "core_revision", ["user_id"])
    op.create_table(
        "core_revision_value",
        sa.Column("kind", KEY, nullable=False),
        sa.Column("item", KEY, nullable=False),
        sa.Column("digest", KEY, nullable=False),
        sa.Column("base", KEY, nullable=True),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("size", ID, nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("kind", "item", "digest", name=op.f("pk_core_revision_value")),
    )
