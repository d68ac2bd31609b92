"""A request's session: success commits, an exception rolls back, reading methods only read."""

from __future__ import annotations

from typing import Any

import pytest
from pyramid.config import Configurator
from sqlalchemy import select
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column
from webtest import TestApp

from masthead.db import Database, plugin_metadata


class Base(DeclarativeBase):
    metadata = plugin_metadata("toy")


class Note(Base):
    __tablename__ = "toy_notes"
    id: Mapped[int] = mapped_column(primary_key=True)
    text: Mapped[str]


def list_notes(request: Any) -> list[str]:
    return list(request.db.scalars(select(Note.text).order_by(Note.id)))


def add_by_model(request: Any) -> None:
    request.db.add(Note(text="model"))


def add_by_statement(request: Any) -> None:
    request.db.connection().exec_driver_sql("INSERT INTO toy_notes (text) VALUES ('statement')")


def add_and_raise(request: Any) -> None:
    add_by_statement(request)
    raise ZeroDivisionError


@pytest.fixture
def app(database: Database) -> TestApp:
    Base.metadata.create_all(database.engine)
    config = Configurator()
    config.registry["masthead.database"] = database
    config.include("masthead.db.session")
    for view in (list_notes, add_by_model, add_by_statement, add_and_raise):
        config.add_route(view.__name__, f"/{view.__name__}")
        config.add_view(view, route_name=view.__name__, renderer="json")
    return TestApp(config.make_wsgi_app())


def test_a_writing_request_is_committed_whichever_way_it_writes(app: TestApp) -> None:
    app.post("/add_by_statement")
    app.post("/add_by_model")

    assert app.get("/list_notes").json == ["statement", "model"]


def test_a_request_that_raises_is_rolled_back(app: TestApp) -> None:
    with pytest.raises(ZeroDivisionError):
        app.post("/add_and_raise")

    assert app.get("/list_notes").json == []


@pytest.mark.parametrize("view", ["add_by_model", "add_by_statement"])
def test_a_write_in_a_reading_request_is_an_error(app: TestApp, view: str) -> None:
    with pytest.raises(DBAPIError, match=r"readonly|read-only"):
        app.get(f"/{view}")

    assert app.get("/list_notes").json == []
