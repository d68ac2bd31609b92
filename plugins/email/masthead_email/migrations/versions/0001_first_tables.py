"""First tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from masthead import UTCDateTime, create_kit_table

revision = "0001"
down_revision = None


def upgrade() -> None:
    create_kit_table(
        "email_composed",
        "resource",
        sa.Column("title", sa.Text(), nullable=True),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("html_content", sa.Text(), nullable=False),
        sa.Column("text_content", sa.Text(), nullable=True),
        sa.Column("recipient_emails", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("scheduled_send_at", UTCDateTime(), nullable=True),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("sent_at", UTCDateTime(), nullable=True),
        kit=1,
    )
    with op.batch_alter_table("email_composed", schema=None) as batch_op:
        batch_op.create_index(
            "ix_email_composed_scheduled",
            ["scheduled_send_at"],
            unique=False,
            sqlite_where=sa.text("status = 'scheduled'"),
            postgresql_where=sa.text("status = 'scheduled'"),
        )

    op.create_table(
        "email_delivery",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column(
            "message_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False
        ),
        sa.Column(
            "address", sa.Text().with_variant(sa.Text(collation="C"), "postgresql"), nullable=False
        ),
        sa.Column("name", sa.String(), nullable=True),
        sa.Column(
            "subscriber_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True
        ),
        sa.Column("values", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("attempts", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("last_error", sa.String(), nullable=True),
        sa.Column("next_try_at", UTCDateTime(), nullable=False),
        sa.Column("done_at", UTCDateTime(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_email_delivery")),
        info={"private": True},
    )
    with op.batch_alter_table("email_delivery", schema=None) as batch_op:
        batch_op.create_index(
            "ix_email_delivery_due", ["message_id", "state", "next_try_at"], unique=False
        )
        batch_op.create_index(
            "uq_email_delivery_address_message_id", ["address", "message_id"], unique=True
        )

    op.create_table(
        "email_link_key",
        sa.Column(
            "id",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=False,
            nullable=False,
        ),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        sa.CheckConstraint("id = 1", name=op.f("ck_email_link_key_only_one")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_email_link_key")),
        info={"private": True},
    )
    op.create_table(
        "email_message",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("source_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("sender", sa.String(), nullable=False),
        sa.Column("reply_to", sa.String(), nullable=True),
        sa.Column("html", sa.String(), nullable=True),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("unsubscribe", sa.Boolean(), nullable=False),
        sa.Column("priority", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("seed", sa.String(), nullable=False),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("trouble", sa.String(), nullable=True),
        sa.Column("totals", sa.JSON(none_as_null=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_email_message")),
        info={"private": True},
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("email_message", schema=None) as batch_op:
        batch_op.create_index(
            "ix_email_message_active",
            ["priority", "id"],
            unique=False,
            sqlite_where=sa.text("state = 'active'"),
            postgresql_where=sa.text("state = 'active'"),
        )
        batch_op.create_index("ix_email_message_source", ["kind", "source_id"], unique=False)

    create_kit_table(
        "email_newsletter",
        "approvable",
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("html_content", sa.Text(), nullable=False),
        sa.Column("text_content", sa.Text(), nullable=True),
        sa.Column("notes", sa.Text(), nullable=True),
        sa.Column("scheduled_send_at", UTCDateTime(), nullable=True),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("sent_at", UTCDateTime(), nullable=True),
        sa.Column("held_at", UTCDateTime(), nullable=True),
        kit=1,
    )
    with op.batch_alter_table("email_newsletter", schema=None) as batch_op:
        batch_op.create_index(
            "ix_email_newsletter_scheduled",
            ["scheduled_send_at"],
            unique=False,
            sqlite_where=sa.text("status = 'scheduled'"),
            postgresql_where=sa.text("status = 'scheduled'"),
        )

    op.create_table(
        "email_outbox",
        sa.Column(
            "id",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=False,
            nullable=False,
        ),
        sa.Column("place", sa.String(), nullable=False),
        sa.Column("claims", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("paused", sa.Boolean(), nullable=False),
        sa.CheckConstraint("id = 1", name=op.f("ck_email_outbox_only_one")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_email_outbox")),
        info={"private": True},
    )
    op.create_table(
        "email_sender",
        sa.Column(
            "id", sa.Text().with_variant(sa.Text(collation="C"), "postgresql"), nullable=False
        ),
        sa.Column("seen_at", UTCDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_email_sender")),
        info={"private": True},
    )
    create_kit_table(
        "email_subscriber",
        "resource",
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=True),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("unsubscribed_at", UTCDateTime(), nullable=True),
        sa.Column("asked_at", UTCDateTime(), nullable=True),
        sa.UniqueConstraint("email", name=op.f("uq_email_subscriber_email")),
        kit=1,
    )
    op.create_table(
        "email_suppression",
        sa.Column(
            "address", sa.Text().with_variant(sa.Text(collation="C"), "postgresql"), nullable=False
        ),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("at", UTCDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("address", name=op.f("pk_email_suppression")),
        info={"private": True},
    )
    create_kit_table(
        "email_template",
        "resource",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("html_content", sa.Text(), nullable=False),
        sa.Column("text_content", sa.Text(), nullable=True),
        sa.Column("category", sa.Text(), nullable=True),
        sa.Column("variables", sa.Text(), nullable=True),
        sa.Column("html_wrapper", sa.Text(), nullable=True),
        sa.Column("derived", sa.String(), nullable=True),
        kit=1,
    )
