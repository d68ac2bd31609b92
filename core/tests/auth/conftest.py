"""Core with a plugin for shelved books, which brings permissions and a content type."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from sqlalchemy import ForeignKey, select
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

from masthead.approval.declaration import Approvable, ApprovableItem
from masthead.audit.models import AuditEntry
from masthead.auth.models import User
from masthead.core_plugin import plugin as core
from masthead.db import plugin_metadata
from masthead.hookspecs import hookimpl
from masthead.http.permissions import Permission
from masthead.plugins import Plugin


class Base(DeclarativeBase):
    metadata = plugin_metadata("shelf")


class Book(ApprovableItem, Base):
    """An item that refers to a user."""

    __tablename__ = "shelf_book"

    owner_id: Mapped[int] = mapped_column(ForeignKey(User.id))


class Hooks:
    """The hooks of the shelf plugin."""

    @hookimpl
    def masthead_permissions(self) -> list[Permission]:
        return [
            Permission("shelf.burn", "Burn books.", editor=False),
            Permission("shelf.lenders", "Read who borrows books.", split_from="shelf.read"),
        ]

    @hookimpl
    def masthead_content_types(self) -> list[Approvable]:
        return [Approvable(name="books", label="Book", model=Book, area="shelf")]


SHELF = Plugin(name="shelf", hooks=(Hooks(),), base=Base)


@pytest.fixture
def plugins() -> list[Plugin]:
    return [core, SHELF]


@pytest.fixture
def without_shelf() -> Mapping[str, Plugin]:
    """The available plugins of an instance from which the shelf was uninstalled."""
    return {core.name: core}


@pytest.fixture
def shelve(database: Any) -> Callable[[int], None]:
    """Create a book that refers to the user with this id."""

    def shelve(owner_id: int) -> None:
        with database.transaction() as session:
            session.add(Book(title="A book", owner_id=owner_id))

    return shelve


@pytest.fixture
def audited(session: Session) -> Callable[[], list[tuple[str, int | None, dict[str, Any]]]]:
    """Return the entries of the audit log: action, id of the actor, detail."""

    def audited() -> list[tuple[str, int | None, dict[str, Any]]]:
        entries = session.scalars(select(AuditEntry).order_by(AuditEntry.id))
        return [(entry.action, entry.actor_id, entry.detail) for entry in entries]

    return audited
