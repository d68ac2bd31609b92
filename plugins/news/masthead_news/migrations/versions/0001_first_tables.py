"""First tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from masthead import UTCDateTime, create_kit_table

revision = "0001"
down_revision = None


def upgrade() -> None:
    create_kit_table(
        "news_article",
        "content",
        sa.Column("category", sa.Text(), nullable=True),
        sa.Column("image_url", sa.Text(), nullable=True),
        sa.Column("published_at", UTCDateTime(), nullable=True),
        kit=1,
        position=UTCDateTime(),
    )
    with op.batch_alter_table("news_article", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_news_article_category"), ["category"], unique=False)
