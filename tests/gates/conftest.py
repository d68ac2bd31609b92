"""All installed plugins, and one whose gate records all publications and can be closed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from sqlalchemy import select

from masthead import Instance, Plugin, Resource, content_types_of
from masthead.plugins import installed
from masthead.testing import Client, Desk
from tests.gates.gate import Gate

GATE = Gate()


@pytest.fixture
def plugins() -> list[str | Plugin]:
    return [*installed(), Plugin(name="gate", hooks=(GATE,))]


@pytest.fixture
def settings() -> dict[str, str]:
    return {"masthead.approval.required": "1 newsletters=2"}


@pytest.fixture
def gate() -> Iterator[Gate]:
    GATE.open()
    yield GATE
    GATE.open()


@pytest.fixture
def desks(app: Client, instance: Instance) -> list[Desk]:
    """A desk of an administrator for each content type."""
    return [Desk(app, it.name).as_role("admin") for it in content_types_of(instance)]


@pytest.fixture
def public_resources(instance: Instance) -> list[Resource]:
    """The resources whose items become public without an approval."""
    return [it for it in instance.resources.values() if it.becomes_public and not it.approval]


@pytest.fixture
def stored(instance: Instance) -> Callable[[], dict[str, list[Any]]]:
    """Return a function that returns the rows of all tables."""

    def rows() -> dict[str, list[Any]]:
        with instance.database.read() as connection:
            return {
                table.name: connection.execute(select(table)).all()
                for plugin in instance.plugins
                if plugin.base is not None
                for table in plugin.base.metadata.sorted_tables
            }

    return rows
