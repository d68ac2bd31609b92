"""First tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from masthead import create_kit_table

revision = "0001"
down_revision = None


def upgrade() -> None:
    create_kit_table(
        "people_person",
        "resource",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("image_url", sa.Text(), nullable=True),
        sa.Column("brief_message", sa.Text(), nullable=True),
        sa.Column("display_order", sa.BigInteger(), nullable=False),
        sa.Column("published", sa.Boolean(), nullable=False),
        kit=1,
    )
    with op.batch_alter_table("people_person", schema=None) as batch_op:
        batch_op.create_index(
            "ix_people_person_listed",
            ["display_order", "id"],
            unique=False,
            sqlite_where=sa.text("published = 1"),
            postgresql_where=sa.text("published"),
        )
