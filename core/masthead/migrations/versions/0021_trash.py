"""Create the trash."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from masthead.db import ID, KEY, UTCDateTime

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    op.create_table(
        "core_trash",
        sa.Column("id", ID, nullable=False),
        sa.Column("kind", KEY, nullable=False),
        sa.Column("item_id", ID, nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("title_key", KEY, nullable=False),
        sa.Column("deleted_at", UTCDateTime(), nullable=False),
        sa.Column("user_id", ID, nullable=True),
        sa.Column("client", sa.String(), nullable=True),
        sa.Column("images", sa.JSON(), nullable=False),
        sa.Column("size", ID, nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["core_user.id"], name=op.f("fk_core_trash_user_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_core_trash")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_core_trash_deleted_at"), "core_trash", ["deleted_at"])
    op.create_index(
        op.f("ix_core_trash_kind_id_title_key"), "core_trash", ["kind", "id", "title_key"]
    )
    op.create_index(op.f("ix_core_trash_user_id"), "core_trash", ["user_id"])
