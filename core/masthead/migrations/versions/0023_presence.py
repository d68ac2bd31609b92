"""Create the table of the users who have items open, and relate revisions to entity tags."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from masthead.db import ID, KEY, UTCDateTime

revision = "0023"
down_revision = "0022"


def upgrade() -> None:
    op.create_table(
        "core_presence",
        sa.Column("kind", KEY, nullable=False),
        sa.Column("item", KEY, nullable=False),
        sa.Column("user_id", ID, nullable=False),
        sa.Column("since", UTCDateTime(), nullable=False),
        sa.Column("seen_at", UTCDateTime(), nullable=False),
        sa.Column("editing", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["core_user.id"],
            name=op.f("fk_core_presence_user_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("kind", "item", "user_id", name=op.f("pk_core_presence")),
    )
    op.create_index(op.f("ix_core_presence_user_id"), "core_presence", ["user_id"])
    op.create_index(op.f("ix_core_presence_seen_at"), "core_presence", ["seen_at"])
    op.add_column("core_revision", sa.Column("item_revision", ID, nullable=True))
