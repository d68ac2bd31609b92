"""Create the change log."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from masthead.db import UTCDateTime

revision = "0019"
down_revision = "0018"

_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "core_change_log",
        sa.Column("id", _ID, autoincrement=False, nullable=False),
        sa.Column("epoch", sa.Text(), nullable=False),
        sa.Column("last", _ID, nullable=False),
        sa.Column("public_epoch", sa.Text(), nullable=False),
        sa.Column("last_public", _ID, nullable=False),
        sa.Column("until", UTCDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_core_change_log")),
    )
    op.create_table(
        "core_change",
        sa.Column("number", _ID, autoincrement=False, nullable=False),
        sa.Column("at", UTCDateTime(), nullable=False),
        sa.Column("recorded_at", UTCDateTime(), nullable=False),
        sa.Column("change", sa.Text(), nullable=False),
        sa.Column("public_change", sa.Text(), nullable=True),
        sa.Column("public_number", _ID, nullable=True),
        sa.Column("content_type", sa.Text(), nullable=False),
        sa.Column("item_id", _ID, nullable=False),
        sa.Column("slug", sa.Text(), nullable=True),
        sa.Column("former_slug", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_core_change")),
    )
    op.create_index(op.f("ix_core_change_recorded_at"), "core_change", ["recorded_at"])
    op.create_index(op.f("ix_core_change_public_number"), "core_change", ["public_number"])
