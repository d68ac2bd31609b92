"""The filters that staff lists of resources have because of their columns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy.orm import DeclarativeBase, Mapped

from masthead import (
    APPROVAL_FIELDS,
    Approvable,
    ApprovableItem,
    Bool,
    Line,
    Plugin,
    Resource,
    ResourceItem,
    field,
    hookimpl,
    plugin_metadata,
    snake_case,
)
from masthead.core_plugin import plugin as core
from masthead.testing.client import Client


class Base(DeclarativeBase):
    metadata = plugin_metadata("kiosk")


class Paper(ResourceItem, Base):
    __tablename__ = "kiosk_paper"

    name: Mapped[str] = field(Line(), required=True)
    published: Mapped[bool] = field(Bool(), default=False)


class Note(ResourceItem, Base):
    __tablename__ = "kiosk_note"

    published: Mapped[str] = field(Line(), default="Monday")
    created_by: Mapped[str] = field(Line(), default="Ada")


class Card(ApprovableItem, Base):
    __tablename__ = "kiosk_card"

    title: Mapped[str] = field(Line(), required=True)


PAPERS = Resource("papers", "Paper", Paper, "kiosk", order=("name",))
NOTES = Resource("notes", "Note", Note, "kiosk", filters=("published",))
CARD_TYPE = Approvable(name="cards", label="Card", model=Card)
CARDS = Resource(
    "cards",
    "Card",
    Card,
    "kiosk",
    approval=CARD_TYPE,
    wire=snake_case,
    shows=APPROVAL_FIELDS,
    order=("title",),
)


class Hooks:
    @hookimpl
    def masthead_resources(self) -> list[Resource]:
        return [PAPERS, NOTES, CARDS]

    @hookimpl
    def masthead_content_types(self) -> list[Approvable]:
        return [CARD_TYPE]


@pytest.fixture
def plugins() -> list[Plugin]:
    return [core, Plugin(name="kiosk", hooks=(Hooks(),), base=Base)]


@pytest.fixture
def admin(app: Client) -> Client:
    return app.as_role("admin")


def listed(client: Client, path: str, name: str, **query: Any) -> list[Any]:
    return [each[name] for each in client.get(f"/api/staff/{path}", query).json]


def test_a_list_is_filtered_by_a_column_published_only_where_it_is_declared(admin: Client) -> None:
    for name, published in (("A", True), ("B", False)):
        admin.post_json("/api/staff/papers", {"name": name, "published": published})

    assert listed(admin, "papers", "name", published="true") == ["A", "B"]


def test_staff_lists_are_filtered_by_the_creator(
    app: Client, admin: Client, make_user: Callable[..., Any]
) -> None:
    users = [make_user(name, role="editor") for name in ("ada", "ben")]
    for title, user in zip("ab", users, strict=True):
        app.as_user(user).post_json("/api/staff/cards", {"title": title})

    assert listed(admin, "cards", "title", created_by=users[0].id) == ["a"]
    assert listed(admin, "cards", "title", created_by=users[1].id) == ["b"]
    assert listed(admin, "cards", "title", created_by=99) == []
    assert "created_by" in admin.get("/api/staff/cards?created_by=0", status=400).json["error"]


def test_a_column_of_another_meaning_is_no_filter(admin: Client) -> None:
    admin.post_json("/api/staff/notes", {"published": "Friday"})

    assert listed(admin, "notes", "published", published="Friday") == ["Friday"]
    assert listed(admin, "notes", "published", published="Monday", createdBy="7") == []
    assert listed(admin, "notes", "published", createdBy="7") == ["Friday"]
