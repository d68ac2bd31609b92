"""Empty databases of both kinds, and plugins with generated migrations."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy.orm import DeclarativeBase

from masthead.db import Database
from masthead.plugins import Plugin
from masthead.testing.postgres import create_database, drop_database


@pytest.fixture
def sqlite(tmp_path: Path) -> Iterator[Database]:
    database = Database(f"sqlite:///{tmp_path}/site.db")
    yield database
    database.dispose()


@pytest.fixture
def postgresql(postgresql_server: Callable[[], str]) -> Iterator[Database]:
    server = postgresql_server()
    name = f"test_{uuid4().hex}"
    database = Database(create_database(server, name))
    yield database
    database.dispose()
    drop_database(server, name)


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest) -> Database:
    found: Database = request.getfixturevalue(request.param)
    return found


class Workshop:
    """Creates plugins whose migrations are files in a temporary folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.prefix = f"toy{uuid4().hex}"

    def plugin(self, name: str, base: type[DeclarativeBase], *upgrades: str) -> Plugin:
        package = self.folder / f"{self.prefix}_{name}"
        versions = package / "migrations" / "versions"
        versions.mkdir(parents=True, exist_ok=True)
        for folder in (package, package / "migrations"):
            (folder / "__init__.py").touch()
        for number, upgrade in enumerate(upgrades, 1):
            before = f'"{number - 1:04}"' if number > 1 else None
            (versions / f"{number:04}_step.py").write_text(
                "import sqlalchemy as sa\nfrom alembic import op\n"
                f'revision = "{number:04}"\ndown_revision = {before}\n'
                "def upgrade():\n" + "".join(f"    {line}\n" for line in upgrade.splitlines())
            )
        return Plugin(name=name, hooks=(), base=base, migrations=f"{package.name}.migrations")


@pytest.fixture
def workshop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workshop]:
    monkeypatch.syspath_prepend(tmp_path)
    workshop = Workshop(tmp_path)
    yield workshop
    for name in [name for name in sys.modules if name.startswith(workshop.prefix)]:
        del sys.modules[name]


@pytest.fixture
def rows(database: Database) -> Callable[[str], list[tuple[Any, ...]]]:
    """Run a query and return its rows as tuples."""

    def run(query: str) -> list[tuple[Any, ...]]:
        with database.read() as connection:
            return [tuple(row) for row in connection.exec_driver_sql(query)]

    return run
