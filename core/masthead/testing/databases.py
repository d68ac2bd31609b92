"""A new database for each test: a copy of a template that is created once per set of plugins."""

from __future__ import annotations

import os
import shutil
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

from sqlalchemy import event, make_url

from masthead.auth.setup import sync_grants
from masthead.db import Database, migrate
from masthead.db.kit.records import record_newest
from masthead.db.kit.tables import kit_tables
from masthead.instance import DATA, DATABASE_URL, PLUGINS, Instance, open_instance
from masthead.plugins import Plugin
from masthead.testing.postgres import (
    create_database,
    database_url,
    drop_database,
    running_postgres,
)
from masthead.testing.snapshots import Snapshot, restore, take_snapshot

VARIABLE = "MASTHEAD_TEST_DATABASE"
"""The environment variable with the kind of database for tests; the default is ``sqlite``."""


class Server:
    """The PostgreSQL server of a test run, started on first use."""

    def __init__(self) -> None:
        self._running = ExitStack()

    @cached_property
    def url(self) -> str:
        """The URL of its first database; FileNotFoundError if PostgreSQL isn't installed."""
        return self._running.enter_context(running_postgres())

    def stop(self) -> None:
        """Stop the server if it was started."""
        self._running.close()


class Databases:
    """Creates the databases of one test process.

    :param folder: the folder for files.
    :param name: a name of the process, unique on the database server.
    :param server: returns the URL of a PostgreSQL server.
    :param start: the URL of the database that all others start as copies of; blank for an empty
        one. A PostgreSQL database must be on that server.
    """

    def __init__(self, folder: Path, name: str, server: Callable[[], str], start: str = "") -> None:
        self._folder = folder
        self._name = name
        self._server = server
        self._start = make_url(start).database if start else None
        self._templates: dict[tuple[Plugin, ...], str] = {}
        self._filled: dict[Hashable, str] = {}
        self._free: defaultdict[str, list[str]] = defaultdict(list)
        self._snapshots: dict[str, Snapshot] = {}
        self._copies: set[str] = set()
        self._made = 0
        self.kind = os.environ.get(VARIABLE) or "sqlite"
        if self.kind not in ("sqlite", "postgresql"):
            raise ValueError(f"{VARIABLE} must be sqlite or postgresql, not {self.kind}")

    @contextmanager
    def fresh(self, available: Mapping[str, Plugin], names: Sequence[str]) -> Iterator[str]:
        """Yield the URL of a database with the tables, roles and grants of a set of plugins.

        :param available: plugins by name.
        :param names: the enabled plugins; empty means all available ones.
        """
        template = self._template(available, names)
        # Names are reused, so that shared instances can be found by the URL of their database.
        free = self._free[template]
        name = free.pop() if free else self._next("test")
        with self._copied(template, name) as url:
            yield url
        free.append(name)

    @contextmanager
    def empty(self) -> Iterator[str]:
        """Yield the URL of a new database without tables."""
        name = self._next("empty")
        if self.kind == "postgresql":
            yield create_database(self._server(), name)
            drop_database(self._server(), name)
            return
        file = self._folder / f"{name}.db"
        yield f"sqlite:///{file}"
        for left in self._folder.glob(f"{name}.db*"):
            left.unlink()

    @contextmanager
    def _copied(self, template: str, name: str) -> Iterator[str]:
        if self.kind == "postgresql":
            yield self._reset_copy(template, name)
            return
        file = self._folder / f"{name}.db"
        shutil.copyfile(template, file)
        yield f"sqlite:///{file}"
        for left in self._folder.glob(f"{name}.db*"):
            left.unlink()

    def _reset_copy(self, template: str, name: str) -> str:
        """Return the URL of a PostgreSQL database that equals its template."""
        snapshot = self._snapshots.get(template)
        if snapshot is None:
            snapshot = take_snapshot(database_url(self._server(), template))
            self._snapshots[template] = snapshot
        url = database_url(self._server(), name)
        if name in self._copies and restore(url, snapshot):
            return url
        drop_database(self._server(), name)
        self._copies.add(name)
        return create_database(self._server(), name, template)

    def _template(self, available: Mapping[str, Plugin], names: Sequence[str]) -> str:
        """Return the file or the name of the template database."""
        key = tuple(_template_key(available[name]) for name in names or available)
        if key not in self._templates:
            # It needs no database, because opening doesn't connect.
            url = "sqlite:///" + str(self._folder / "none.db")
            instance = self._open(url, available, names)
            content = _content_key(instance)
            instance.close()
            if content not in self._filled:
                self._filled[content] = self._filled_template(available, names)
            self._templates[key] = self._filled[content]
        return self._templates[key]

    def _filled_template(self, available: Mapping[str, Plugin], names: Sequence[str]) -> str:
        """Create a template database, and return its file or its name."""
        name = self._next("template")
        place = str(self._folder / f"{name}.db")
        if self.kind == "sqlite":
            url = f"sqlite:///{place}"
            if self._start:
                shutil.copyfile(self._start, place)
        else:
            url, place = create_database(self._server(), name, self._start), name
        instance = self._open(url, available, names)
        disable_fsync(instance.database)
        try:
            _make_tables(instance)
            with instance.database.transaction() as session:
                sync_grants(session, instance)
        finally:
            instance.close()
        return place

    def _open(self, url: str, available: Mapping[str, Plugin], names: Sequence[str]) -> Instance:
        ini = {DATA.name: str(self._folder), DATABASE_URL.name: url, PLUGINS.name: " ".join(names)}
        return open_instance(ini, {}, available)

    def _next(self, kind: str) -> str:
        self._made += 1
        return f"{kind}_{self._name}_{self._made}"


def disable_fsync(database: Database) -> None:
    """Let commits and closes on SQLite not wait for the disk; tests need no durability."""
    if database.dialect == "sqlite":
        # The connection that closes last, often one of the readers, writes the log into the file.
        for engine in (database.engine, database.reader):
            event.listen(engine, "connect", _without_sync)


def _template_key(plugin: Plugin) -> Plugin:
    """Return a key that is equal for plugins with the same tables.

    Hooks without state count as equal if they have the same class.
    """
    kinds = (h if getattr(h, "__dict__", True) else type(h) for h in plugin.hooks)
    return replace(plugin, hooks=tuple(kinds))


def _content_key(instance: Instance) -> Hashable:
    """Return a key that is equal for instances with the same tables and grants."""
    return (
        tuple((each.name, each.base, each.migrations) for each in instance.plugins),
        repr(sorted(instance.permissions.items())),
        tuple(instance.content_types),
    )


def _without_sync(connection: Any, _record: Any) -> None:
    connection.execute("PRAGMA synchronous=OFF").close()


def _make_tables(instance: Instance) -> None:
    migrate.upgrade(instance.database, instance.plugins)
    migrated = migrate.current(instance.database, instance.plugins)
    # A plugin under development may have no migrations yet; its models define the tables.
    with instance.database.engine.begin() as connection:
        for plugin in instance.plugins:
            if plugin.metadata is not None and not migrated.get(plugin.name):
                plugin.metadata.create_all(connection)
                record_newest(connection, kit_tables(plugin))
