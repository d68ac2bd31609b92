"""Count the uploads of visitors."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from masthead import UTCDateTime

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.create_table(
        "media_usage",
        sa.Column(
            "visitor", sa.Text().with_variant(sa.Text(collation="C"), "postgresql"), nullable=False
        ),
        sa.Column("hour", UTCDateTime(), nullable=False),
        sa.Column("files", sa.Integer(), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("milliseconds", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("visitor", "hour", name=op.f("pk_media_usage")),
    )
    with op.batch_alter_table("media_usage", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_media_usage_hour"), ["hour"], unique=False)
