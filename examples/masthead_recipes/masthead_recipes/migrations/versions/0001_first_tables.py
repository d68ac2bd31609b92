"""First tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from masthead import create_kit_table

revision = "0001"
down_revision = None


def upgrade() -> None:
    create_kit_table(
        "recipes_recipe",
        "content",
        sa.Column("difficulty", sa.Text(), nullable=True),
        sa.Column("servings", sa.BigInteger(), nullable=True),
        sa.Column("preparation_minutes", sa.BigInteger(), nullable=False),
        sa.Column("cooking_minutes", sa.BigInteger(), nullable=False),
        sa.Column("ingredients", sa.JSON(none_as_null=True), nullable=True),
        kit=9,
        position=sa.Text().with_variant(sa.Text(collation="C"), "postgresql"),
    )
    with op.batch_alter_table("recipes_recipe", schema=None) as batch_op:
        batch_op.create_index(
            "ix_recipes_recipe_by_difficulty",
            [
                "difficulty",
                "position",
                "id",
                "published",
                "scheduled_publish_at",
                "scheduled_unpublish_at",
            ],
            unique=False,
        )
        batch_op.create_index(
            "ix_recipes_recipe_by_servings",
            [
                "servings",
                "position",
                "id",
                "published",
                "scheduled_publish_at",
                "scheduled_unpublish_at",
            ],
            unique=False,
        )
