"""Store complaints and forgiven failures, and find recent failures by an index."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from masthead import UTCDateTime, create_index_concurrently

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    create_index_concurrently(
        "ix_email_delivery_failed",
        "email_delivery",
        ["done_at"],
        sqlite_where=sa.text("state = 'failed'"),
        postgresql_where=sa.text("state = 'failed'"),
    )
    op.add_column("email_delivery", sa.Column("complained_at", UTCDateTime()))
    op.add_column(
        "email_delivery",
        sa.Column("forgiven", sa.Boolean(), nullable=False, server_default=sa.false()),
    )
