"""Recipes fulfil the contract of content types, and are found by their fields."""

from masthead.testing import Client, ContentTypeContract, Desk
from masthead_recipes.plugin import RECIPES


class TestRecipes(ContentTypeContract):
    content_type = RECIPES


def test_recipes_are_found_by_their_difficulty(app: Client) -> None:
    desk = Desk(app, "recipes").as_role("editor")
    desk.create_public(title="Soup", difficulty="easy", preparationMinutes=1)
    desk.create_public(title="Stew", difficulty="hard")
    desk.create(title="Secret soup", difficulty="easy")

    found = app.get("/api/recipes?difficulty=easy")

    assert [each["title"] for each in found.json] == ["Soup"]
    assert found.headers["X-Total-Count"] == "1"
    assert "difficulty: " in app.get("/api/recipes?difficulty=tough", status=400).json["error"]


def test_recipes_are_found_by_an_ingredient_and_a_number_of_servings(app: Client) -> None:
    desk = Desk(app, "recipes").as_role("editor")
    desk.create_public(title="Soup", servings=2, ingredients=["Water", "Salt"])
    desk.create_public(title="Stew", servings=6, ingredients=["Salt, coarse", "Kale"])

    def found(**query: str) -> list[str]:
        return [each["title"] for each in app.get("/api/recipes", query).json]

    assert found(ingredients="Salt") == ["Soup"]
    assert found(ingredients="Salt, coarse", servingsFrom="3") == ["Stew"]
    assert found(servingsFrom="2", servingsTo="5") == ["Soup"]


def test_a_recipe_shows_the_minutes_in_all(app: Client) -> None:
    desk = Desk(app, "recipes").as_role("editor")
    recipe = desk.create_public(preparationMinutes=15, cookingMinutes=60)

    assert recipe["totalMinutes"] == desk.public_item(recipe["slug"])["totalMinutes"] == 75
    assert [each["totalMinutes"] for each in desk.public_list()] == [75]
