"""Recipes as a plugin, with endpoints, a job, a check and a demo of its own."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from masthead import (
    PUBLIC,
    Approvable,
    Check,
    Choice,
    ContentType,
    Demo,
    Endpoint,
    Feed,
    Instance,
    Int,
    Invalid,
    ItemSave,
    Job,
    ListOf,
    Object,
    Plugin,
    PublicReader,
    Refused,
    Request,
    Str,
    endpoint,
    hookimpl,
    is_visible,
    optional,
    required,
    schema,
    utcnow,
)
from masthead_recipes.models import Base, Recipe


def check_recipe(_session: Session, save: ItemSave) -> None:
    """Refuse a recipe for a crowd."""
    if (save.after["servings"] or 0) > 100:
        raise Invalid("servings: Must not be more than 100")


RECIPES = ContentType(
    name="recipes",
    label="Recipe",
    model=Recipe,
    order="-createdAt",
    related_by=("season",),
    feed=Feed(date="firstPublishedAt"),
    before_change=check_recipe,
)
QUERY = schema({"difficulty": optional(Choice("easy", "hard"), help="Only recipes of that kind.")})
SHOWN = {
    "id": required(Int(), help="Its id."),
    "slug": required(Str(), nullable=True, help="Its slug."),
    "difficulty": required(Choice("easy", "hard"), help="How hard it is."),
}
COOKED = schema(
    {
        "recipeId": required(Int(1), help="The id of the recipe."),
        "servings": optional(Int(1, 100), help="The number of servings."),
    },
    name="Cooked",
)
COUNTS = {"drafts": required(Int(), help="The number of recipes that nobody sees.")}


@endpoint(
    "GET",
    "/api/recipes-by-difficulty",
    name="recipes.by_difficulty",
    permission=PUBLIC,
    query=QUERY,
    returns=ListOf(Object(schema(SHOWN, name="RecipeOfDifficulty", help="A recipe."))),
)
def list_by_difficulty(request: Request) -> list[dict[str, Any]]:
    """List published recipes of a difficulty."""
    wanted = request.query.get("difficulty")
    reader = request.instance.shared(make_reader)
    found = reader.read_newest(request.db.connection(), 100)
    shown = [{name: item[name] for name in SHOWN} for item in found]
    return [item for item in shown if wanted in (None, item["difficulty"])]


@endpoint(
    "GET",
    "/api/staff/recipes-in-work",
    name="staff.recipes.in_work",
    permission=RECIPES.read_permission,
    returns=Object(schema(COUNTS, name="RecipesInWork", help="The recipes in work.")),
)
def count_in_work(request: Request) -> dict[str, Any]:
    """Count the recipes that nobody sees."""
    drafts = select(func.count()).where(Recipe.published.is_(False))
    return {"drafts": request.db.scalar(drafts)}


@endpoint(
    "POST",
    "/api/recipes-cooked",
    name="recipes.cooked",
    permission=PUBLIC,
    body=COOKED,
    returns=Object(schema({"title": required(Str(), help="Its title.")}, name="CookedRecipe")),
)
def tell_cooked(request: Request) -> dict[str, Any]:
    """Tell that you have cooked a recipe."""
    recipe = request.db.get(Recipe, request.data["recipeId"])
    if recipe is None or not is_visible(recipe, utcnow()):
        raise Refused("There is no such recipe")
    recipe.servings = request.data.get("servings") or recipe.servings
    return {"title": recipe.title}


def make_reader(instance: Instance) -> PublicReader:
    """Return a reader of the public fields."""
    return PublicReader(RECIPES, instance.database, SHOWN)


def count_recipes(session: Session) -> None:
    """Count the recipes of a session."""
    session.scalar(select(func.count()).select_from(Recipe))


def find_trouble(instance: Instance) -> str | None:
    """Find out whether the kitchen is closed."""
    with instance.database.read() as connection:
        return "too many recipes" if connection.scalar(_COUNT) > 10**6 else None


_COUNT = select(func.count()).select_from(Recipe)


@hookimpl
def masthead_content_types() -> list[Approvable]:
    """Return the content type of recipes."""
    return [RECIPES]


@hookimpl
def masthead_routes() -> list[Endpoint]:
    """Return the endpoints."""
    return [list_by_difficulty, count_in_work, tell_cooked]


@hookimpl
def masthead_jobs() -> list[Job]:
    """Return the job."""
    return [Job("recipes.count", timedelta(days=1), count_recipes)]


@hookimpl
def masthead_checks() -> list[Check]:
    """Return the check."""
    return [Check("recipes", find_trouble)]


@hookimpl
def masthead_demo(demo: Demo) -> None:
    """Create a recipe."""
    demo.publish("recipes", [{"title": "Soup", "difficulty": "easy", "tags": ["Winter"]}])


plugin = Plugin("recipes", hooks=(__name__,), base=Base, migrations="masthead_recipes.migrations")
