"""Core with a plugin of two content types, notes and letters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy.orm import DeclarativeBase, Mapped

from masthead import (
    Approvable,
    ContentItem,
    ContentType,
    Int,
    Plugin,
    Str,
    field,
    hookimpl,
    plugin_metadata,
)
from masthead.core_plugin import plugin as core
from masthead.testing import Desk
from masthead.testing.client import Client


class Base(DeclarativeBase):
    metadata = plugin_metadata("notes")


class Note(ContentItem, Base):
    __tablename__ = "notes_note"
    __table_args__ = {"sqlite_autoincrement": True}

    display_order: Mapped[int] = field(Int(), default=0, staged=False)


class Letter(ContentItem, Base):
    __tablename__ = "notes_letter"
    __table_args__ = {"sqlite_autoincrement": True}

    sender: Mapped[str | None] = field(Str())
    shelf: Mapped[str | None] = field(Str(), staged=False)


NOTES = ContentType(name="notes", label="Note", model=Note, order="displayOrder")
LETTERS = ContentType(
    name="letters", label="Letter", model=Letter, search_fields=("title", "sender", "shelf")
)


class Hooks:
    @hookimpl
    def masthead_content_types(self) -> list[Approvable]:
        return [NOTES, LETTERS]


PLUGIN = Plugin(name="notes", hooks=(Hooks(),), base=Base)


@pytest.fixture
def plugins() -> list[Plugin]:
    return [core, PLUGIN]


@pytest.fixture
def notes_type() -> ContentType:
    return NOTES


@pytest.fixture
def letters_type() -> ContentType:
    return LETTERS


@pytest.fixture
def notes(app: Client) -> Desk:
    """A desk for notes, used by an editor."""
    return Desk(app, "notes").as_role("editor")


@pytest.fixture
def letters(app: Client) -> Desk:
    """A desk for letters, used by an editor; search ignores their description and content."""
    return Desk(app, "letters").as_role("editor")


@pytest.fixture
def make_tag(app: Client) -> Callable[[str], Any]:
    return lambda name: app.as_role("editor").post_json("/api/staff/tags", {"name": name}).json
