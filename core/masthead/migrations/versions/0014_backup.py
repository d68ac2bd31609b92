"""Create the table about the last backup, with its one row."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from masthead import UTCDateTime

revision = "0014"
down_revision = "0013"

_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    table = op.create_table(
        "core_backup",
        sa.Column("id", _ID, autoincrement=False, nullable=False),
        sa.Column("made_at", UTCDateTime(), nullable=True),
        sa.Column("size", _ID, nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_core_backup")),
    )
    # A database without the row was restored from a backup, which leaves it out.
    op.bulk_insert(table, [{"id": 1}])
