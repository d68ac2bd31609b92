"""First tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from masthead import UTCDateTime

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "webhook_call",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("body", sa.JSON(), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("due_at", UTCDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_webhook_call")),
        info={"private": True, "stays": True},
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("webhook_call", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_webhook_call_due_at"), ["due_at"], unique=False)
