"""``masthead doctor`` names a database with an old version, a wrong encoding or a new collation."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator

import psycopg
import pytest
from click.testing import Result

from masthead.doctor.database import old_postgresql, old_sqlite
from masthead.testing.databases import VARIABLE
from masthead.testing.postgres import create_database, drop_database

Run = Callable[..., Result]
Create = Callable[[str], str]


@pytest.fixture
def create(
    environ: dict[str, str], worker_name: str, postgresql_server: Callable[[], str]
) -> Iterator[Create]:
    """A function that makes a database with options, which the commands use."""
    if os.environ.get(VARIABLE) != "postgresql":
        pytest.skip("needs PostgreSQL")
    name = f"doctor_{worker_name}"

    def make(options: str) -> str:
        drop_database(postgresql_server(), name)
        environ["MASTHEAD_DATABASE_URL"] = create_database(
            postgresql_server(), name, options=f"TEMPLATE template0 {options}"
        )
        return name

    yield make
    drop_database(postgresql_server(), name)


@pytest.fixture
def find(run: Run) -> Callable[[str], dict[str, str]]:
    """A function that returns the finding of a check of the database."""

    def ask(check: str) -> dict[str, str]:
        found = json.loads(run("doctor", "--json").stdout)["checks"]
        assert not [each for each in found if each["text"].startswith("can't be checked")]
        (finding,) = [each for each in found if each["name"] == f"database.{check}"]
        return dict(finding)

    return ask


@pytest.mark.parametrize("encoding", ["LATIN1", "SQL_ASCII"])
def test_an_encoding_that_lacks_characters_is_an_error(
    create: Create, run: Run, find: Callable[[str], dict[str, str]], encoding: str
) -> None:
    create(f"ENCODING '{encoding}' LOCALE 'C'")
    upgrade = run("db", "upgrade")

    found = find("encoding")

    assert found["level"] == "error"
    assert found["text"] == f"the encoding of the database is {encoding}, not UTF8"
    assert "createdb --encoding UTF8" in found["remedy"]
    assert upgrade.exit_code == 1
    assert f"Error: {found['text']}; {found['remedy']}" in upgrade.stderr


def test_a_collation_that_has_changed_since_the_indexes_is_a_warning(
    create: Create, find: Callable[[str], dict[str, str]], postgresql_server: Callable[[], str]
) -> None:
    try:
        name = create("LOCALE 'C' LOCALE_PROVIDER icu ICU_LOCALE 'en'")
    except psycopg.Error as error:
        pytest.skip(f"this PostgreSQL has no collations of ICU: {error}")
    assert find("collation")["level"] == "ok"
    with psycopg.connect(postgresql_server(), autocommit=True) as server:
        change = "UPDATE pg_database SET datcollversion = '1.0' WHERE datname = %s"
        server.execute(change, [name])

    found = find("collation")

    assert found["level"] == "warning"
    assert "the indexes were built with version 1.0 of the collation" in found["text"]
    assert "REINDEX DATABASE" in found["remedy"]


def test_a_postgresql_without_security_updates_is_named() -> None:
    assert old_postgresql(130022) == "PostgreSQL 13 gets no security updates any more"
    assert old_postgresql(140000) is None
    assert old_postgresql(180001) is None


def test_a_sqlite_that_can_damage_a_database_is_named() -> None:
    assert old_sqlite((3, 51, 2)) == "SQLite 3.51.2 can, rarely, damage a database"
    assert old_sqlite((3, 51, 3)) is None
    assert old_sqlite((3, 52, 0)) is None
