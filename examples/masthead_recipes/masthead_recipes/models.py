"""The table of recipes; every content type has title, description, content and tags as well."""

from typing import Any

from sqlalchemy.orm import DeclarativeBase, Mapped

from masthead import Choice, ContentItem, Int, Line, ListOf, field, plugin_metadata


class Base(DeclarativeBase):
    """The base of this plugin's models."""

    metadata = plugin_metadata("recipes")


class Recipe(ContentItem, Base):
    """A recipe."""

    __tablename__ = "recipes_recipe"

    difficulty: Mapped[str | None] = field(Choice("easy", "medium", "hard"))
    servings: Mapped[int | None] = field(Int(1, 100))
    preparation_minutes: Mapped[int] = field(Int(0, 10_000), default=0)
    cooking_minutes: Mapped[int] = field(Int(0, 10_000), default=0)
    ingredients: Mapped[list[Any] | None] = field(ListOf(Line()), listed=False)
