"""Store the reviewers of requested approvals, and the votes for them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from masthead.db import ID, KEY, UTCDateTime

revision = "0024"
down_revision = "0023"


def upgrade() -> None:
    op.create_table(
        "core_approval_request",
        sa.Column("kind", KEY, nullable=False),
        sa.Column("item", KEY, nullable=False),
        sa.Column("reviewer_id", ID, nullable=True),
        sa.Column("reminded_at", UTCDateTime(), nullable=True),
        sa.Column("escalated_at", UTCDateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["reviewer_id"], ["core_user.id"], name=op.f("fk_core_approval_request_reviewer_id")
        ),
        sa.PrimaryKeyConstraint("kind", "item", name=op.f("pk_core_approval_request")),
    )
    op.create_index(
        op.f("ix_core_approval_request_reviewer_id"), "core_approval_request", ["reviewer_id"]
    )
    op.create_table(
        "core_approval_vote",
        sa.Column("kind", KEY, nullable=False),
        sa.Column("item", KEY, nullable=False),
        sa.Column("user_id", ID, nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("at", UTCDateTime(), nullable=False),
        sa.Column("comment", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(
            ["user_id"], ["core_user.id"], name=op.f("fk_core_approval_vote_user_id")
        ),
        sa.PrimaryKeyConstraint("kind", "item", "user_id", name=op.f("pk_core_approval_vote")),
    )
    op.create_index(op.f("ix_core_approval_vote_user_id"), "core_approval_vote", ["user_id"])
