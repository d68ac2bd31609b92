"""Find the unread notifications of an item."""

from __future__ import annotations

import sqlalchemy as sa

from masthead.db.indexes import create_index_concurrently

revision = "0020"
down_revision = "0019"

_IS_UNREAD = sa.text("read_at IS NULL")


def upgrade() -> None:
    create_index_concurrently(
        "ix_core_notification_item",
        "core_notification",
        ["content_type", "content_id"],
        sqlite_where=_IS_UNREAD,
        postgresql_where=_IS_UNREAD,
    )
