"""Record the ids that imported items have in other systems."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"

_KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "core_external_id",
        sa.Column("kind", _KEY, nullable=False),
        sa.Column("source", _KEY, nullable=False),
        sa.Column("external_id", _KEY, nullable=False),
        sa.Column("item_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.PrimaryKeyConstraint("kind", "source", "external_id", name=op.f("pk_core_external_id")),
    )
    op.create_index(op.f("ix_core_external_id_item_id"), "core_external_id", ["item_id"])
