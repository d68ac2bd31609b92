"""First tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from masthead import ID, KEY, UTCDateTime

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "cdn_purge",
        sa.Column("id", ID, nullable=False),
        sa.Column("cache", KEY, nullable=False),
        sa.Column("keys", sa.Text(), nullable=False),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.Column("due_at", UTCDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_cdn_purge")),
    )
    op.create_index("ix_cdn_purge_cache_due_at", "cdn_purge", ["cache", "due_at"])
    op.create_table(
        "cdn_cache",
        sa.Column("name", KEY, nullable=False),
        sa.Column("lease_until", UTCDateTime(), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("failing_since", UTCDateTime(), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("purged_at", UTCDateTime(), nullable=True),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_cdn_cache")),
    )
