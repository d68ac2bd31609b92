"""A process on PostgreSQL learns of changes by other processes at once."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import text
from webtest import TestApp

from masthead.core_plugin import plugin as core
from masthead.db import content_version
from masthead.errors import StartError
from masthead.instance import Instance, open_instance
from masthead.tags.models import Tag
from masthead.testing.databases import VARIABLE
from masthead.web.app import app_of
from masthead.web.content_listener import ContentListener, listening_trouble, start_listener

SETTINGS = {
    "masthead.plugins": "core",
    "masthead.auth.secrets": "4d0f2c77b1e94a8c9f63a1d85be27c06",
}
on_postgresql = pytest.mark.skipif(
    os.environ.get(VARIABLE) != "postgresql", reason="SQLite notifies nobody"
)


@pytest.fixture
def reopen(database_url: str, tmp_path: Path) -> Iterator[Callable[..., Instance]]:
    """Return a function that opens an instance with this database, as another process would."""
    opened: list[Instance] = []

    def reopen(**settings: str) -> Instance:
        place = {"masthead.data": str(tmp_path), "masthead.database.url": database_url}
        named = {f"masthead.database.{name}": value for name, value in settings.items()}
        opened.append(open_instance({**SETTINGS, **place, **named}, {}, {"core": core}))
        return opened[-1]

    yield reopen
    for instance in opened:
        instance.close()


@pytest.fixture
def only_notified(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no process read the content version again without a notification."""
    monkeypatch.setattr(content_version, "FRESH", 3600.0)


def add_tag(instance: Instance, name: str) -> None:
    with instance.database.transaction() as session:
        session.add(Tag(name=name, slug=name.lower(), name_key=name.lower()))


def working(instance: Instance) -> ContentListener:
    """Start the listener of an instance."""
    listener = start_listener(instance)
    assert listener is not None
    assert listener.works.wait(10)
    return listener


def shows(app: TestApp, name: str) -> bool:
    """Whether the list of tags has a name within ten seconds."""
    end = time.monotonic() + 10
    while time.monotonic() < end:
        if name in app.get("/api/tags").text:
            return True
        time.sleep(0.01)
    return False


@on_postgresql
@pytest.mark.usefixtures("only_notified")
def test_a_change_of_another_process_is_seen_without_asking(
    reopen: Callable[..., Instance],
) -> None:
    reading, writing = reopen(), reopen()
    app = TestApp(app_of(reading))
    working(reading)
    for name in ("Red", "Green", "Blue"):
        app.get("/api/tags")
        add_tag(writing, name)
        assert shows(app, name)
    add_tag(reading, "Own")
    assert "Own" in app.get("/api/tags").text


@on_postgresql
@pytest.mark.usefixtures("only_notified")
def test_a_change_during_a_loss_of_the_connection_is_seen_after_it(
    reopen: Callable[..., Instance], caplog: pytest.LogCaptureFixture
) -> None:
    reading, writing = reopen(), reopen()
    app = TestApp(app_of(reading))
    listener = working(reading)
    app.get("/api/tags")

    end = (
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE datname = current_database() AND query LIKE 'LISTEN%'"
    )
    with writing.database.read() as connection:
        assert connection.execute(text(end)).all() == [(True,)]
    add_tag(writing, "Red")

    assert shows(app, "Red")
    assert listener.works.wait(10)
    add_tag(writing, "Green")
    assert shows(app, "Green")
    assert "instead of at once" not in caplog.text


@on_postgresql
def test_the_version_is_asked_for_without_a_listener(reopen: Callable[..., Instance]) -> None:
    reading, writing = reopen(listen="false"), reopen()
    app = TestApp(app_of(reading))
    assert start_listener(reading) is None
    app.get("/api/tags")
    add_tag(writing, "Red")
    assert shows(app, "Red")


@on_postgresql
def test_a_pooler_in_transaction_mode_needs_the_url_of_the_server(
    reopen: Callable[..., Instance], database_url: str
) -> None:
    assert start_listener(reopen(prepared="false")) is None

    instance = reopen(prepared="false", listen=database_url)

    working(instance)
    assert listening_trouble(instance) is None


@on_postgresql
def test_a_wrong_url_is_a_trouble_and_one_line_of_the_log(
    reopen: Callable[..., Instance], caplog: pytest.LogCaptureFixture
) -> None:
    instance = reopen(listen="postgresql://masthead:secret@127.0.0.1:1/masthead")
    listener = start_listener(instance)
    assert listener is not None

    assert "refused" in (listening_trouble(instance) or "")
    end = time.monotonic() + 20
    while "instead of at once" not in caplog.text and time.monotonic() < end:
        time.sleep(0.05)

    assert caplog.text.count("instead of at once") == 1
    assert "secret" not in caplog.text
    assert not listener.works.is_set()


@pytest.mark.parametrize(
    "value", ["maybe", "sqlite:///var/masthead.db", "postgresql:/", "mysql://h/n"]
)
def test_other_values_are_refused(value: str, tmp_path: Path) -> None:
    ini = {**SETTINGS, "masthead.data": str(tmp_path), "masthead.database.listen": value}
    with pytest.raises(StartError, match=r"^masthead\.database\.listen: expected true, false or"):
        open_instance(ini, {}, {"core": core})


def test_sqlite_has_no_listener(tmp_path: Path) -> None:
    instance = open_instance({**SETTINGS, "masthead.data": str(tmp_path)}, {}, {"core": core})
    assert start_listener(instance) is None
    assert listening_trouble(instance) is None
    instance.close()
