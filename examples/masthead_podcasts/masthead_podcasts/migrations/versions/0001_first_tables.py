"""First tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from masthead import UTCDateTime, create_kit_table

revision = "0001"
down_revision = None


def upgrade() -> None:
    create_kit_table(
        "podcasts_episode",
        "content",
        sa.Column("audio_url", sa.Text(), nullable=False),
        sa.Column("audio_type", sa.Text(), nullable=False),
        sa.Column("audio_bytes", sa.BigInteger(), nullable=False),
        sa.Column("season", sa.BigInteger(), nullable=True),
        sa.Column("published_at", UTCDateTime(), nullable=True),
        kit=1,
        position=UTCDateTime(),
    )
    with op.batch_alter_table("podcasts_episode", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_podcasts_episode_season"), ["season"], unique=False)
