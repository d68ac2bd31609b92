"""Connections: writers wait for each other, readers only read, servers may restart."""

from __future__ import annotations

import gc
import os
import stat
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import URL, Column, ForeignKey, Integer, Table, event, insert, select, text, update
from sqlalchemy.exc import DBAPIError, DisconnectionError, IntegrityError

from masthead.db import Database, plugin_metadata
from masthead.errors import StartError
from masthead.testing.relay import Relay

metadata = plugin_metadata("toy")
counters = Table(
    "toy_counters", metadata, Column("id", Integer, primary_key=True), Column("n", Integer)
)
marks = Table(
    "toy_marks",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("counter_id", ForeignKey(counters.c.id)),
)


@pytest.fixture
def counted(database: Database) -> Database:
    metadata.create_all(database.engine)
    with database.transaction() as session:
        session.execute(insert(counters).values(id=1, n=0))
    return database


def count(database: Database) -> int | None:
    with database.read() as connection:
        return connection.scalar(select(counters.c.n))


def add_fifty(database: Database) -> None:
    for _ in range(50):
        with database.transaction() as session:
            n = session.scalars(select(counters.c.n).with_for_update()).one()
            session.execute(update(counters).values(n=n + 1))


@pytest.mark.slow
def test_twenty_threads_that_read_modify_and_write_lose_nothing(counted: Database) -> None:
    with ThreadPoolExecutor(20) as pool:
        for done in [pool.submit(add_fifty, counted) for _ in range(20)]:
            done.result()

    assert count(counted) == 1000


def test_a_reading_session_cannot_write(counted: Database) -> None:
    with counted.session(read_only=True) as session:
        assert session.scalar(select(counters.c.n)) == 0
        with pytest.raises(DBAPIError, match=r"readonly|read-only"):
            session.execute(update(counters).values(n=1))

    assert count(counted) == 0


def test_reading_outside_a_transaction_cannot_write_on_sqlite(sqlite: Database) -> None:
    metadata.create_all(sqlite.engine)

    with sqlite.read() as connection, pytest.raises(DBAPIError, match="readonly"):
        connection.execute(insert(counters).values(id=1, n=7))


def test_a_reading_session_sees_one_moment_on_sqlite(sqlite: Database) -> None:
    metadata.create_all(sqlite.engine)

    with sqlite.session(read_only=True) as reader:
        assert reader.scalar(select(counters.c.n)) is None
        with sqlite.transaction() as writer:
            writer.execute(insert(counters).values(id=1, n=7))
        assert reader.scalar(select(counters.c.n)) is None

    assert count(sqlite) == 7


def test_readers_do_not_wait_for_a_writer(counted: Database) -> None:
    with counted.transaction() as writer:
        writer.execute(update(counters).values(n=5))

        with counted.session(read_only=True) as reader:
            assert reader.scalar(select(counters.c.n)) == 0
        assert count(counted) == 0

    assert count(counted) == 5


def test_a_transaction_that_raises_leaves_nothing(counted: Database) -> None:
    def write_and_raise() -> None:
        with counted.transaction() as session:
            session.execute(update(counters).values(n=5))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        write_and_raise()

    assert count(counted) == 0


def test_foreign_keys_are_enforced(counted: Database) -> None:
    with pytest.raises(IntegrityError), counted.transaction() as session:
        session.execute(insert(marks).values(id=1, counter_id=99))


def test_an_acknowledged_write_is_synced_to_the_disk_by_default(sqlite: Database) -> None:
    with sqlite.read() as connection:
        assert connection.scalar(text("PRAGMA synchronous")) == 2
        assert connection.scalar(text("PRAGMA journal_mode")) == "wal"


def test_the_folder_of_a_sqlite_file_is_made_on_demand(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path}/a/b/site.db")
    assert not (tmp_path / "a").exists()

    with database.read() as connection:
        connection.execute(text("SELECT 1"))

    assert (tmp_path / "a" / "b" / "site.db").exists()
    assert stat.S_IMODE((tmp_path / "a" / "b").stat().st_mode) == 0o700
    database.dispose()


def test_the_files_of_a_new_database_are_readable_by_their_owner_only(tmp_path: Path) -> None:
    before = os.umask(0o000)
    try:
        database = Database(f"sqlite:///{tmp_path}/site.db")
        metadata.create_all(database.engine)
        modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in tmp_path.iterdir()}
        database.dispose()
    finally:
        os.umask(before)

    assert modes == dict.fromkeys(("site.db", "site.db-wal", "site.db-shm"), 0o600)


def test_threads_that_open_a_new_database_at_once_share_one_file(tmp_path: Path) -> None:
    opened = [Database(f"sqlite:///{tmp_path}/a/site.db") for _ in range(8)]

    def fill(number: int) -> None:
        with opened[number].transaction() as session:
            session.execute(text("CREATE TABLE IF NOT EXISTS t (n INTEGER)"))
            session.execute(text(f"INSERT INTO t VALUES ({number})"))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(fill, range(8)))
    with opened[0].read() as connection:
        assert connection.scalar(text("SELECT count(*) FROM t")) == 8
    for database in opened:
        database.dispose()
    assert [file.name for file in (tmp_path / "a").iterdir()] == ["site.db"]


def test_a_file_that_is_moved_away_is_not_made_anew(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path}/site.db")
    metadata.create_all(database.engine)
    database.dispose()
    (tmp_path / "site.db").rename(tmp_path / "elsewhere.db")

    with pytest.raises(DBAPIError, match="unable to open database file"), database.read():
        pass
    with pytest.raises(DBAPIError, match="unable to open database file"), database.transaction():
        database.session().execute(text("SELECT 1"))
    assert [file.name for file in tmp_path.iterdir()] == ["elsewhere.db"]

    (tmp_path / "elsewhere.db").rename(tmp_path / "site.db")
    assert count(database) is None
    database.dispose()


def test_a_file_without_bytes_is_refused(tmp_path: Path) -> None:
    (tmp_path / "site.db").touch()
    database = Database(f"sqlite:///{tmp_path}/site.db")

    with pytest.raises(DBAPIError, match=r"site\.db has 0 bytes; restore a backup"):
        metadata.create_all(database.engine)

    assert (tmp_path / "site.db").stat().st_size == 0


@pytest.mark.parametrize("name", ["a b", "a%20b", "a#b", "ä", "a&mode=memory"])
def test_a_path_may_have_any_characters(tmp_path: Path, name: str) -> None:
    folder = tmp_path / name
    database = Database(URL.create("sqlite", database=f"{folder}/site.db").render_as_string())

    metadata.create_all(database.engine)

    assert (folder / "site.db").stat().st_size > 0
    database.dispose()


def test_a_sqlite_reader_of_a_thread_is_closed_when_the_thread_ends(sqlite: Database) -> None:
    kept = threading.local()

    def read() -> None:
        kept.reader = sqlite.open_sqlite_reader()
        assert kept.reader.execute("SELECT 1").fetchone() == (1,)
        closing.append(kept.reader.close)

    closing: list[Any] = []
    thread = threading.Thread(target=read)
    thread.start()
    thread.join()
    gc.collect()

    assert [close.alive for close in closing] == [False]


def test_a_sqlite_reader_is_closed_with_its_database(sqlite: Database) -> None:
    reader = sqlite.open_sqlite_reader()

    sqlite.dispose()

    with pytest.raises(reader.Error):
        reader.execute("SELECT 1")


def test_a_relative_path_stays_where_it_was_when_the_working_directory_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path)
    database = Database("sqlite:///site.db")
    monkeypatch.chdir(tmp_path / "elsewhere")

    metadata.create_all(database.engine)

    assert (tmp_path / "site.db").exists()
    database.dispose()


@pytest.mark.parametrize(
    "url",
    [
        "",
        "nonsense",
        "mysql://me:secret@localhost/site",
        "postgresql://me:secret@localhost:port/site",
        "postgresql+asyncpg://me:secret@localhost/site",
        "postgresql://me:secret@localhost/site?prepare_threshold=5",
        "postgresql://me:secret@localhost/site?autocommit=true",
        "sqlite://",
        "sqlite:///:memory:",
        "sqlite:///file:site.db?uri=true",
    ],
)
def test_an_unusable_url_is_refused_in_one_line_without_the_password(url: str) -> None:
    with pytest.raises(StartError) as refused:
        Database(url)

    assert "database URL" in str(refused.value)
    assert "secret" not in str(refused.value)
    assert "\n" not in str(refused.value)
    assert refused.value.__cause__ is None


def test_times_on_postgresql_are_utc(postgresql: Database) -> None:
    with postgresql.read() as connection:
        assert connection.scalar(text("SHOW timezone")) == "UTC"


@pytest.mark.parametrize(("query", "seconds"), [("", 5), ("?connect_timeout=20", "20")])
def test_the_url_sets_the_timeout_of_a_connection_attempt(query: str, seconds: object) -> None:
    database = Database(f"postgresql://nobody@192.0.2.1/none{query}")
    asked = {}

    def refuse(_dialect: Any, _record: Any, _arguments: Any, options: dict[str, Any]) -> None:
        asked.update(options)
        raise DisconnectionError

    event.listen(database.engine, "do_connect", refuse)
    with pytest.raises(DisconnectionError):
        database.engine.connect()

    assert asked["connect_timeout"] == seconds


def test_of_several_hosts_the_first_that_answers_is_used(postgresql: Database) -> None:
    relay = Relay(postgresql.url.render_as_string(hide_password=False))
    port = relay.url.rpartition(":")[2]
    database = Database(f"postgresql://postgres@127.0.0.1:1,127.0.0.1:{port}")

    with database.read() as connection:
        assert connection.scalar(text("SELECT 1")) == 1
    database.dispose()
    relay.cut()


@pytest.mark.parametrize("hosts", ["db1,", ",db2", "db1:port,db2", "db1:1:2,db2", "[db1,db2:1]"])
def test_unreadable_hosts_stop_the_start(hosts: str) -> None:
    with pytest.raises(StartError, match="can't be read"):
        Database(f"postgresql://ada:hush@{hosts}/club")


def test_connections_that_the_server_closed_are_replaced(postgresql: Database) -> None:
    with postgresql.read() as one, postgresql.read() as other:
        pid = other.scalar(text("SELECT pg_backend_pid()"))
        one.execute(text("SELECT pg_terminate_backend(:pid, 1000)"), {"pid": pid})

    for _ in range(3):
        with postgresql.read() as one, postgresql.read() as other:
            assert one.scalar(text("SELECT 1")) == other.scalar(text("SELECT 1")) == 1


OLD = """
import logging, sqlite3, sys
sys.modules["pysqlite3"] = None
logging.basicConfig(format="%(message)s", stream=sys.stdout)
from masthead.db import Database

Database(sys.argv[1])
print(sqlite3.sqlite_version_info >= (3, 51, 3))
"""


@pytest.mark.slow
def test_an_old_sqlite_is_logged_as_a_warning(tmp_path: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", OLD, f"sqlite:///{tmp_path}/site.db"],
        capture_output=True,
        text=True,
        check=True,
    )

    *warnings, is_new = ended.stdout.splitlines()
    assert is_new == str(not warnings)
    assert all("damage a database" in warning for warning in warnings)


@pytest.mark.parametrize(
    ("url", "place"),
    [
        ("sqlite:////srv/masthead.db", "sqlite:////srv/masthead.db"),
        ("postgresql://ada:hush@db:5433/club", "postgresql://ada@db:5433/club"),
        ("postgres:///club?user=ada&password=hush", "postgresql:///club"),
        ("postgresql://ada:hush@db1:6432,db2/club", "postgresql://ada@db1:6432,db2:5432/club"),
    ],
)
def test_a_database_is_named_without_its_password(url: str, place: str) -> None:
    named = Database(url)

    assert named.place == place
    named.dispose()
