"""Instances with all installed plugins, on either database."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from masthead import Instance
from masthead.auth.tokens import SECRETS
from masthead.instance import DATA, DATABASE_URL, PLUGINS, open_instance
from masthead.plugins import installed
from masthead.testing.databases import VARIABLE, Databases, disable_fsync

_SECRET = "77aa0d3c1be84f5b9c62e0f4d85a1b30"


@pytest.fixture(scope="session")
def _kinds(
    tmp_path_factory: pytest.TempPathFactory, worker_name: str, postgresql_server: Callable[[], str]
) -> Callable[[str], Databases]:
    made: dict[str, Databases] = {}

    def databases(kind: str) -> Databases:
        if kind not in made:
            folder = tmp_path_factory.mktemp(kind)
            made[kind] = Databases(folder, f"moving_{worker_name}", postgresql_server)
            made[kind].kind = kind
        return made[kind]

    return databases


@pytest.fixture
def open_at() -> Iterator[Callable[[str, Path], Instance]]:
    """Opens an instance with the database at a URL and a data folder."""
    available = installed()
    with ExitStack() as stack:

        def open_(url: str, folder: Path) -> Instance:
            ini = {
                DATA.name: str(folder),
                DATABASE_URL.name: url,
                PLUGINS.name: " ".join(available),
                SECRETS.name: _SECRET,
                "masthead.email.staff": "office@example.org",
            }
            opened = open_instance(ini, {}, available)
            disable_fsync(opened.database)
            stack.callback(opened.close)
            return opened

        yield open_


@pytest.fixture
def make_instance(
    _kinds: Callable[[str], Databases], open_at: Callable[[str, Path], Instance], tmp_path: Path
) -> Iterator[Callable[[str], Instance]]:
    """Creates an empty instance on ``sqlite`` or ``postgresql`` with a data folder of its own."""
    available = installed()
    with ExitStack() as stack:

        def make(kind: str) -> Instance:
            url = stack.enter_context(_kinds(kind).fresh(available, list(available)))
            folder = tmp_path / f"instance-{len(list(tmp_path.glob('instance-*')))}"
            folder.mkdir()
            return open_at(url, folder)

        yield make


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run on SQLite; if PostgreSQL is tested, on both databases in all combinations."""
    if "route" in metafunc.fixturenames:
        routes = [("sqlite", "sqlite")]
        if os.environ.get(VARIABLE) == "postgresql":
            both = ("sqlite", "postgresql")
            routes = [(a, b) for a in both for b in both if (a, b) != ("sqlite", "sqlite")]
        metafunc.parametrize("route", routes, ids=" to ".join)
