"""Core with a plugin for letters, which are approved but have no slug, tags or staged copies."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy.orm import DeclarativeBase

from masthead import Approvable, ApprovableItem, Plugin, hookimpl, plugin_metadata
from masthead.approval.events import Transitioned
from masthead.core_plugin import plugin as core
from masthead.db import Database
from masthead.testing import Desk
from masthead.testing.client import Client


class Base(DeclarativeBase):
    metadata = plugin_metadata("post")


class Letter(ApprovableItem, Base):
    """A model with the columns of the approval workflow."""

    __tablename__ = "post_letter"
    __table_args__ = {"sqlite_autoincrement": True}


LETTERS = Approvable(name="letters", label="Letter", model=Letter, area="post")
heard: list[Transitioned] = []


class Hooks:
    @hookimpl
    def masthead_content_types(self) -> list[Approvable]:
        return [LETTERS]

    @hookimpl
    def masthead_transitioned(self, event: Transitioned) -> None:
        heard.append(event)
        if event.title == "Explosive":
            raise ZeroDivisionError


PLUGIN = Plugin(name="post", hooks=(Hooks(),), base=Base)


@pytest.fixture
def plugins() -> list[Plugin]:
    return [core, PLUGIN]


@pytest.fixture
def events() -> list[Transitioned]:
    """The events that a plugin has received."""
    heard.clear()
    return heard


@pytest.fixture
def letter_type() -> Approvable:
    return LETTERS


@pytest.fixture
def make_letter(database: Database) -> Callable[..., int]:
    """Create letters and return their ids."""

    def make(**columns: Any) -> int:
        with database.transaction() as session:
            letter = Letter(**{"title": "A letter", **columns})
            session.add(letter)
            session.flush()
            return letter.id

    return make


@pytest.fixture
def letters(app: Client) -> Desk:
    """The endpoints of letters, called by an editor."""
    return Desk(app, "letters").as_role("editor")


@pytest.fixture
def approver(letters: Desk) -> Desk:
    """The endpoints of letters, called by an administrator."""
    return letters.as_role("admin")
