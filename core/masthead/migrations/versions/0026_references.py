"""Derive a table of the references between items."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from masthead.db import ID, KEY

revision = "0026"
down_revision = "0025"


def upgrade() -> None:
    op.create_table(
        "core_reference",
        sa.Column("kind", KEY, nullable=False),
        sa.Column("item_id", ID, autoincrement=False, nullable=False),
        sa.Column("field", KEY, nullable=False),
        sa.Column("target_id", ID, autoincrement=False, nullable=False),
        sa.Column("target", KEY, nullable=False),
        sa.Column("live", sa.Boolean(), nullable=False),
        sa.Column("shown", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint(
            "kind", "item_id", "field", "target_id", name=op.f("pk_core_reference")
        ),
    )
    op.create_index(
        op.f("ix_core_reference_target_target_id_kind_field"),
        "core_reference",
        ["target", "target_id", "kind", "field"],
    )
