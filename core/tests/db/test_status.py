"""The status of the tables in one line that names the plugin and the remedy."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import event
from sqlalchemy.orm import DeclarativeBase

from masthead.db import Database, migrate, plugin_metadata
from masthead.db.kit import steps
from masthead.db.status import State, states, troubles

NEWEST = steps.newest()


def state(name: str, *, related: str = "current", kit: int | None = None, needed: int = 0) -> State:
    return State(name, "0001", related, kit, needed)


@pytest.mark.parametrize(
    "fine",
    [
        state("news"),
        state("news", kit=NEWEST, needed=NEWEST),
        state("news", related="newer"),
        state("news", kit=NEWEST + 1),
    ],
)
def test_tables_that_are_as_new_as_the_code_or_newer_have_no_problem(fine: State) -> None:
    assert not fine.is_behind
    assert troubles([fine]) is None


def test_problems_with_the_same_remedy_are_grouped() -> None:
    line = troubles(
        [
            state("core", related="behind"),
            state("podcasts", kit=NEWEST, needed=NEWEST + 1),
            state("news", kit=NEWEST - 1),
        ]
    )

    assert line == (
        f"the tables of core lack a revision, the tables of news lack kit {NEWEST};"
        f" run masthead db upgrade; podcasts was built for kit {NEWEST + 1},"
        f" masthead-core has kit {NEWEST}; upgrade masthead-core"
    )


class Base(DeclarativeBase):
    metadata = plugin_metadata("garden")


def test_several_plugins_need_as_many_statements_as_one(database: Database, workshop: Any) -> None:
    plugins = [workshop.plugin(name, Base, "pass") for name in ("core", "garden", "orchard")]
    migrate.upgrade(database, plugins)
    statements: list[str] = []

    with database.read() as connection:
        event.listen(
            connection, "before_cursor_execute", lambda *given: statements.append(given[2])
        )
        states(connection, plugins[:1])
        for_one = len(statements)
        states(connection, plugins)

    assert for_one > 0
    assert len(statements) == 2 * for_one
