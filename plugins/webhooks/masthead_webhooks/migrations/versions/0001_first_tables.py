"""First tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from masthead import ID, KEY, UTCDateTime, create_kit_table

revision = "0001"
down_revision = None


def upgrade() -> None:
    create_kit_table(
        "webhooks_webhook",
        "resource",
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("events", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("content_types", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("active", sa.Boolean(), nullable=False),
        sa.Column("switched_off", sa.Text(), nullable=True),
        sa.Column("failing_since", UTCDateTime(), nullable=True),
        sa.Column("told_at", UTCDateTime(), nullable=True),
        sa.Column("secret", sa.Text(), nullable=False),
        sa.Column("former_secret", sa.Text(), nullable=True),
        sa.Column("former_until", UTCDateTime(), nullable=True),
        kit=1,
    )
    op.create_table(
        "webhooks_delivery",
        sa.Column("id", ID, nullable=False),
        sa.Column("webhook_id", ID, nullable=False),
        sa.Column("message_id", KEY, nullable=False),
        sa.Column("event", sa.Text(), nullable=False),
        sa.Column("payload", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.Column("next_try_at", UTCDateTime(), nullable=False),
        sa.Column("done_at", UTCDateTime(), nullable=True),
        sa.Column("status", sa.Integer(), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("duration", sa.Integer(), nullable=True),
        sa.Column("response", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["webhook_id"],
            ["webhooks_webhook.id"],
            name=op.f("fk_webhooks_delivery_webhook_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_webhooks_delivery")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_webhooks_delivery_webhook_id_id", "webhooks_delivery", ["webhook_id", "id"])
    op.create_index("ix_webhooks_delivery_created_at", "webhooks_delivery", ["created_at"])
    op.create_index(
        "ix_webhooks_delivery_open",
        "webhooks_delivery",
        ["next_try_at", "webhook_id"],
        sqlite_where=sa.text("state IN ('waiting', 'sending')"),
        postgresql_where=sa.text("state IN ('waiting', 'sending')"),
    )
    op.create_table(
        "webhooks_progress",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("until", UTCDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_webhooks_progress")),
    )
