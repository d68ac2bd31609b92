"""Recipes as a plugin: lists are filtered by fields, and answers show a computed field."""

from masthead import Approvable, Computed, ContentType, Int, Plugin, hookimpl
from masthead_recipes.models import Base, Recipe

RECIPES = ContentType(
    name="recipes",
    label="Recipe",
    model=Recipe,
    order="title",
    public_filters=("difficulty", "servings", "ingredients"),
    computed={
        "totalMinutes": Computed(
            Int().described("The minutes that it takes in all.", 75),
            expression=lambda table: table.c.preparation_minutes + table.c.cooking_minutes,
        )
    },
)


@hookimpl
def masthead_content_types() -> list[Approvable]:
    """Return the content type of recipes."""
    return [RECIPES]


plugin = Plugin("recipes", hooks=(__name__,), base=Base, migrations="masthead_recipes.migrations")
