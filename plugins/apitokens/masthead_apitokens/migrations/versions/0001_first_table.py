"""First table."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from masthead import ID, KEY, UTCDateTime

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "apitokens_token",
        sa.Column("id", ID, nullable=False),
        sa.Column("digest", KEY, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("user_id", ID, nullable=False),
        sa.Column("permissions", sa.JSON(), nullable=False),
        sa.Column("approves", sa.JSON(), nullable=False),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.Column("expires_at", UTCDateTime(), nullable=False),
        sa.Column("last_used_at", UTCDateTime(), nullable=True),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["core_user.id"],
            name=op.f("fk_apitokens_token_user_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_apitokens_token")),
        sa.UniqueConstraint("digest", name=op.f("uq_apitokens_token_digest")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_apitokens_token_user_id", "apitokens_token", ["user_id"])
    op.create_index("ix_apitokens_token_expires_at", "apitokens_token", ["expires_at"])
