"""Store requests for a new password, which the worker answers."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from masthead.db import UTCDateTime

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.create_table(
        "core_recovery_request",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("at", UTCDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_core_recovery_request")),
        sqlite_autoincrement=True,
    )
