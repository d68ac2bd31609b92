"""The table of recipes."""

from __future__ import annotations

from sqlalchemy.orm import DeclarativeBase, Mapped

from masthead import Choice, ContentItem, Int, Str, field, plugin_metadata


class Base(DeclarativeBase):
    """The base of this plugin's models."""

    metadata = plugin_metadata("recipes")


class Recipe(ContentItem, Base):
    """A recipe."""

    __tablename__ = "recipes_recipe"

    servings: Mapped[int | None] = field(Int(1), index=True)
    difficulty: Mapped[str] = field(Choice("easy", "hard"), required=True)
    season: Mapped[str | None] = field(Str())
    kitchen_note: Mapped[str | None] = field(Str(), public=False)
