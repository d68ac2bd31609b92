"""Give users, roles and tags a revision, and store the keys of requests."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from masthead.db import ID, KEY, UTCDateTime

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    for table in ("core_user", "core_role", "core_tag"):
        op.add_column(
            table, sa.Column("revision", sa.Integer(), server_default="1", nullable=False)
        )
    op.create_table(
        "core_idempotency_key",
        sa.Column("id", ID, nullable=False),
        sa.Column("user_id", ID, nullable=False),
        sa.Column("endpoint", KEY, nullable=False),
        sa.Column("key", KEY, nullable=False),
        sa.Column("at", UTCDateTime(), nullable=False),
        sa.Column("signature", sa.String(), nullable=False),
        sa.Column("answer", sa.String(), nullable=True),
        sa.Column("etag", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["core_user.id"],
            name=op.f("fk_core_idempotency_key_user_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_core_idempotency_key")),
        sa.UniqueConstraint(
            "user_id", "endpoint", "key", name=op.f("uq_core_idempotency_key_user_id_endpoint_key")
        ),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_core_idempotency_key_at"), "core_idempotency_key", ["at"])
