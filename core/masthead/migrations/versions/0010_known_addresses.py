"""Remember the addresses that items about persons had."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from masthead.db import UTCDateTime

revision = "0010"
down_revision = "0008"

_KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "core_known_address",
        sa.Column("kind", _KEY, nullable=False),
        sa.Column("item_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("address_key", _KEY, nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("since", UTCDateTime(), nullable=False),
        sa.Column("until", UTCDateTime(), nullable=True),
        sa.PrimaryKeyConstraint(
            "kind", "item_id", "address_key", name=op.f("pk_core_known_address")
        ),
    )
    op.create_index(
        op.f("ix_core_known_address_address_key"), "core_known_address", ["address_key"]
    )
