"""Migrations: each plugin has its own history and version table, and one upgrade runs them all."""

from __future__ import annotations

import logging
import subprocess
import sys
import time
from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, text
from sqlalchemy.exc import OperationalError

from masthead.db.engine import Database
from masthead.db.history import revisions_of, version_table, versions_of
from masthead.db.kit.applying import bring_up
from masthead.db.kit.tables import kit_tables
from masthead.db.metadata import owns
from masthead.db.status import State, check_kits, migrated, states, troubles
from masthead.db.types import UTCDateTime
from masthead.errors import StartError

# Alembic takes a while to load, and most commands never look at migrations.
if TYPE_CHECKING:
    from alembic.autogenerate.api import AutogenContext
    from alembic.config import Config

    from masthead.plugins import Plugin

logger = logging.getLogger(__name__)

# Any number that nothing else on the server locks.
_ADVISORY_LOCK = int.from_bytes(b"masthead")
_LONGEST_WAIT = "3s"
"""For a lock on a table of the kit that PostgreSQL's running transactions hold."""
_IN_THE_WAY = ("40P01", "55P03")
"""What PostgreSQL calls a deadlock, and a lock that wasn't there in time."""
_TRIES, _PAUSE = 60, 1.0
"""How often an upgrade begins where others are in its way, and the seconds in between."""


def upgrade(database: Database, plugins: Sequence[Plugin]) -> None:
    """Bring the tables of ``plugins`` to their newest revision and to the newest step of the kit.

    Core's come first, then the others in this order, in one transaction per plugin: killed at any
    moment, it has happened wholly or not at all. Two upgrades at once wait for each other. What a
    newer version of a plugin has migrated is left alone.

    :raises StartError: where a plugin needs a newer core, before anything is migrated; where a
        migration leaves rows that refer to nothing, or a table can't take a step of the kit.
    """
    check_kits(migrated(plugins))
    for plugin in migrated(plugins):
        with database.read() as connection:
            [found] = states(connection, [plugin])
        if found.is_newer:
            logger.info(
                "The tables of %s are newer (%s) than its code", plugin.name, found.revision
            )
        if found.is_behind:
            _upgrade(database, plugin)


def current(database: Database, plugins: Sequence[Plugin]) -> dict[str, str | None]:
    """Return the revision of each plugin that has migrations; None where it has no tables yet."""
    return {found.plugin: found.revision for found in status(database, plugins)}


def pending(database: Database, plugins: Sequence[Plugin]) -> list[str]:
    """Return the names of the plugins that ``upgrade`` would migrate.

    A database that is newer than the code is ready: it isn't among them.
    """
    return [found.plugin for found in status(database, plugins) if found.is_behind]


def status(database: Database, plugins: Sequence[Plugin]) -> list[State]:
    """Return the state of each plugin that has migrations, core first."""
    with database.read() as connection:
        return states(connection, migrated(plugins))


def check_current(database: Database, plugins: Sequence[Plugin]) -> None:
    """Make sure that the tables are as the code needs them.

    :raises StartError: where they aren't.
    """
    wrong = troubles(status(database, plugins))
    if wrong:
        raise StartError(wrong)


def revision(plugins: Sequence[Plugin], name: str, message: str) -> Path:
    """Write the migration that the models of the plugin ``name`` need, and return its file.

    It is the difference between the models and a scratch SQLite database that the existing
    migrations of ``plugins`` made. StartError where the plugin is unknown or can't have one.
    """
    plugin = next((plugin for plugin in migrated(plugins) if plugin.name == name), None)
    if plugin is None or plugin.metadata is None:
        raise StartError(f"no enabled plugin {name} with tables and migrations")
    with TemporaryDirectory() as folder:
        database = Database(f"sqlite:///{folder}/scratch.sqlite")
        try:
            upgrade(database, plugins)
            with _migrating(database) as connection:
                written = _write_revision(plugin, message, _config(plugin, connection))
        finally:
            database.dispose()
    if find_spec("ruff"):
        for arguments in (["check", "--fix", "--select=F401,I"], ["format"]):
            subprocess.run([sys.executable, "-m", "ruff", *arguments, "-q", written], check=True)
    return written


def options(plugin: Plugin) -> dict[str, Any]:
    """Return how Alembic has to look at a database to see only the tables of ``plugin``."""
    from masthead.db.kit.autogenerate import KitFilter

    metadata, kit = plugin.metadata, KitFilter(plugin)

    def is_ours(name: str | None, kind: str, _parents: Any) -> bool:
        if kind == "table" and (metadata is None or not owns(metadata, name or "")):
            return False
        return kit.takes_name(name, kind)

    return {
        "target_metadata": metadata,
        "version_table": version_table(plugin),
        "include_name": is_ours,
        "include_object": kit.takes,
        "process_revision_directives": kit.rewrite,
        "render_as_batch": True,
        "render_item": _render_type,
    }


def _upgrade(database: Database, plugin: Plugin) -> None:
    for left in reversed(range(_TRIES)):
        try:
            _upgrade_at_once(database, plugin)
            break
        except OperationalError as error:
            if not left or getattr(error.orig, "sqlstate", "") not in _IN_THE_WAY:
                raise
        # It was rolled back; what waited for its locks goes on meanwhile.
        time.sleep(_PAUSE)
    logger.info("Migrated the tables of %s", plugin.name)


def _upgrade_at_once(database: Database, plugin: Plugin) -> None:
    with _migrating(database) as connection:
        # Somebody else may have done it while this one waited for the lock.
        [found] = states(connection, [plugin])
        if found.lacks_revision:
            from alembic import command

            command.upgrade(_config(plugin, connection), "head")
            _check_foreign_keys(connection, plugin)
        if database.dialect == "postgresql":
            # All that asks for a table queues behind a step that waits for it.
            connection.exec_driver_sql(f"SET LOCAL lock_timeout = '{_LONGEST_WAIT}'")
        bring_up(connection, kit_tables(plugin))


@contextmanager
def _migrating(database: Database) -> Iterator[Connection]:
    """Give a connection in a transaction in which nobody else migrates."""
    with database.engine.connect() as connection:
        if database.dialect == "postgresql":
            with connection.begin():
                connection.execute(text("SELECT pg_advisory_xact_lock(:n)"), {"n": _ADVISORY_LOCK})
                yield connection
            return
        # SQLite alters a table by making another, and dropping the old one would cascade into its
        # children. The pragma does nothing inside a transaction.
        driver = connection.connection.dbapi_connection
        assert driver is not None
        driver.execute("PRAGMA foreign_keys=OFF").close()
        try:
            with connection.begin():
                yield connection
        finally:
            driver.execute("PRAGMA foreign_keys=ON").close()


def _check_foreign_keys(connection: Connection, plugin: Plugin) -> None:
    if connection.dialect.name == "sqlite":
        broken = connection.exec_driver_sql("PRAGMA foreign_key_check").first()
        if broken is not None:
            raise StartError(
                f"the migration of {plugin.name} leaves rows of {broken[0]} that refer to missing"
                f" rows of {broken[2]}; it was rolled back"
            )


def _config(plugin: Plugin, connection: Connection | None = None) -> Config:
    """Return what alembic.ini would say, for one plugin."""
    from alembic.config import Config

    from masthead.db import batch  # noqa: F401 - tells Alembic how to rebuild SQLite's tables

    config = Config(cmd_opts=Namespace(quiet=True))
    config.attributes["options"] = {"connection": connection, **options(plugin)}
    for option, value in {
        "script_location": str(Path(__file__).parent),
        "version_locations": str(versions_of(plugin)),
        "path_separator": "newline",
        "file_template": "%(rev)s_%(slug)s",
    }.items():
        config.set_main_option(option, value.replace("%", "%%"))
    return config


def _write_revision(plugin: Plugin, message: str, config: Config) -> Path:
    from alembic import command

    numbers = [int(name) for name in revisions_of(plugin) if name.isdecimal()]
    number = max(numbers, default=0) + 1
    script = command.revision(config, message, autogenerate=True, rev_id=f"{number:04}")
    assert not isinstance(script, list | None), f"one revision of {plugin.name} was asked for"
    return Path(script.path)


def _render_type(kind: str, item: Any, context: AutogenContext) -> str | bool:
    if kind == "type" and isinstance(item, UTCDateTime):
        context.imports.add("from masthead import UTCDateTime")
        return "UTCDateTime()"
    if kind == "type" and not type(item).__module__.startswith("sqlalchemy."):
        # Alembic then writes the type with the full name of its module.
        context.imports.add(f"import {type(item).__module__}")
    return False
