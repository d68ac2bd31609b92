"""Store comments of staff beside items."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from masthead.db import ID, KEY, UTCDateTime

revision = "0025"
down_revision = "0024"


def upgrade() -> None:
    op.create_table(
        "core_comment",
        sa.Column("id", ID, nullable=False),
        sa.Column("kind", KEY, nullable=False),
        sa.Column("item", KEY, nullable=False),
        sa.Column("author_id", ID, nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.Column("edited_at", UTCDateTime(), nullable=True),
        sa.Column("resolved_at", UTCDateTime(), nullable=True),
        sa.Column("resolved_by_id", ID, nullable=True),
        sa.Column("mentioned", sa.JSON(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["author_id"], ["core_user.id"], name=op.f("fk_core_comment_author_id")
        ),
        sa.ForeignKeyConstraint(
            ["resolved_by_id"], ["core_user.id"], name=op.f("fk_core_comment_resolved_by_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_core_comment")),
        sqlite_autoincrement=True,
    )
    for columns in (["kind", "item", "id"], ["author_id"], ["resolved_by_id"]):
        name = op.f(f"ix_core_comment_{'_'.join(columns)}")
        op.create_index(name, "core_comment", columns)
