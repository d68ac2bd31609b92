"""First tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from masthead import UTCDateTime, create_kit_table

revision = "0001"
down_revision = None


def upgrade() -> None:
    create_kit_table(
        "recipes_recipe",
        "content",
        sa.Column("servings", sa.BigInteger(), nullable=True),
        sa.Column("difficulty", sa.Text(), nullable=False),
        sa.Column("season", sa.Text(), nullable=True),
        sa.Column("kitchen_note", sa.Text(), nullable=True),
        kit=1,
        position=UTCDateTime(),
    )
    with op.batch_alter_table("recipes_recipe", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_recipes_recipe_servings"), ["servings"], unique=False)
