"""Find old notifications by an index."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    with op.batch_alter_table("core_notification", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_core_notification_read_at"),
            ["read_at"],
            unique=False,
            sqlite_where=sa.text("read_at IS NOT NULL"),
            postgresql_where=sa.text("read_at IS NOT NULL"),
        )
