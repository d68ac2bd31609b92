"""First tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from masthead import UTCDateTime, create_kit_table

revision = "0001"
down_revision = None


def upgrade() -> None:
    create_kit_table(
        "events_event",
        "content",
        sa.Column("start_date", UTCDateTime(), nullable=False),
        sa.Column("end_date", UTCDateTime(), nullable=True),
        sa.Column("location", sa.Text(), nullable=True),
        sa.Column("image_url", sa.Text(), nullable=True),
        sa.Column("link", sa.Text(), nullable=True),
        kit=1,
        position=UTCDateTime(),
    )

    op.create_table(
        "events_withdrawal",
        sa.Column(
            "event_id",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=False,
            nullable=False,
        ),
        sa.Column("at", UTCDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("event_id", name=op.f("pk_events_withdrawal")),
    )
    with op.batch_alter_table("events_withdrawal", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_events_withdrawal_at"), ["at"], unique=False)
