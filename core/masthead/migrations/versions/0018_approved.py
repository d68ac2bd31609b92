"""Store the digests of approved values."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from masthead.db import ID, KEY

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    op.create_table(
        "core_approved",
        sa.Column("kind", KEY, nullable=False),
        sa.Column("item", KEY, nullable=False),
        sa.Column("digest", KEY, nullable=True),
        sa.Column("number", ID, nullable=True),
        sa.Column("next_digest", KEY, nullable=True),
        sa.Column("next_number", ID, nullable=True),
        sa.PrimaryKeyConstraint("kind", "item", name=op.f("pk_core_approved")),
    )
