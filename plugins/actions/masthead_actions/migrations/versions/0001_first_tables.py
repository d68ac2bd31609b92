"""First tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from masthead import UTCDateTime, create_kit_table

revision = "0001"
down_revision = None


def upgrade() -> None:
    create_kit_table(
        "actions_action",
        "content",
        sa.Column("icon", sa.Text(), nullable=True),
        sa.Column("gradient_class", sa.Text(), nullable=True),
        sa.Column("accent_class", sa.Text(), nullable=True),
        sa.Column("link", sa.Text(), nullable=True),
        sa.Column("cover_image_url", sa.Text(), nullable=True),
        sa.Column("display_order", sa.BigInteger(), nullable=False),
        kit=1,
        position=sa.BigInteger(),
    )

    create_kit_table(
        "actions_proposal",
        "resource",
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("image_urls", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("contact_name", sa.Text(), nullable=False),
        sa.Column("contact_email", sa.Text(), nullable=False),
        sa.Column("contact_phone", sa.Text(), nullable=True),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("notes", sa.Text(), nullable=True),
        sa.Column("accepted_at", UTCDateTime(), nullable=True),
        sa.Column("action_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.ForeignKeyConstraint(
            ["action_id"],
            ["actions_action.id"],
            name=op.f("fk_actions_proposal_action_id"),
            ondelete="SET NULL",
        ),
        kit=1,
        last=[sa.Column("content", sa.Text(), nullable=True)],
    )
    with op.batch_alter_table("actions_proposal", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_actions_proposal_action_id"), ["action_id"], unique=False
        )
        batch_op.create_index(
            batch_op.f("ix_actions_proposal_created_at_id"), ["created_at", "id"], unique=False
        )
        batch_op.create_index(
            batch_op.f("ix_actions_proposal_status_created_at_id"),
            ["status", "created_at", "id"],
            unique=False,
        )
