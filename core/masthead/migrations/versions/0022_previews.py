"""Create the table of preview links."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from masthead.db import ID, KEY, UTCDateTime

revision = "0022"
down_revision = "0021"


def upgrade() -> None:
    op.create_table(
        "core_preview",
        sa.Column("id", ID, nullable=False),
        sa.Column("digest", KEY, nullable=False),
        sa.Column("kind", KEY, nullable=False),
        sa.Column("item", KEY, nullable=False),
        sa.Column("user_id", ID, nullable=False),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.Column("expires_at", UTCDateTime(), nullable=False),
        sa.Column("once", sa.Boolean(), nullable=False),
        sa.Column("revision", ID, nullable=True),
        sa.Column("note", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["core_user.id"],
            name=op.f("fk_core_preview_user_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_core_preview")),
        sa.UniqueConstraint("digest", name=op.f("uq_core_preview_digest")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_core_preview_user_id"), "core_preview", ["user_id"])
    op.create_index(op.f("ix_core_preview_expires_at"), "core_preview", ["expires_at"])
    op.create_index(op.f("ix_core_preview_kind_item"), "core_preview", ["kind", "item"])
