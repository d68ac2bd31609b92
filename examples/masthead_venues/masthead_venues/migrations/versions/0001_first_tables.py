"""First tables."""

from __future__ import annotations

import sqlalchemy as sa

from masthead import UTCDateTime, create_kit_table

revision = "0001"
down_revision = None


def upgrade() -> None:
    create_kit_table(
        "venues_concert",
        "content",
        sa.Column("starts_at", UTCDateTime(), nullable=False),
        sa.Column("venue_id", sa.BigInteger(), nullable=False),
        sa.Column("performer_ids", sa.JSON(none_as_null=True), nullable=True),
        kit=9,
        position=UTCDateTime(),
    )
    create_kit_table(
        "venues_venue",
        "resource",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("city", sa.Text(), nullable=True),
        sa.Column("seats", sa.BigInteger(), nullable=True),
        sa.Column("published", sa.Boolean(), nullable=False),
        kit=9,
    )
