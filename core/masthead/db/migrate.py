"""Migrations: each plugin has its own history and version table; one upgrade runs all of them."""

from __future__ import annotations

import logging
import subprocess
import sys
import time
from argparse import Namespace
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection
from sqlalchemy.exc import OperationalError

from masthead.db.changed_tables import touch
from masthead.db.encoding import REMEDY, encoding_trouble
from masthead.db.engine import Database
from masthead.db.failed_upgrade import failed_upgrade
from masthead.db.fixed_point import FixedPoint
from masthead.db.history import (
    exceptions_of,
    pending_revisions,
    revisions_of,
    version_table,
    versions_of,
)
from masthead.db.kit import steps
from masthead.db.kit.applying import apply_missing_steps
from masthead.db.kit.tables import kit_tables
from masthead.db.list_indexes import build_list_indexes
from masthead.db.metadata import owns
from masthead.db.migrating import migrating
from masthead.db.status import State, migrated, revisions_of_others, states, troubles
from masthead.db.types import UTCDateTime
from masthead.errors import StartError

# Alembic takes long to load, and most commands don't use migrations.
if TYPE_CHECKING:
    from alembic.autogenerate.api import AutogenContext
    from alembic.config import Config

    from masthead.plugins import Plugin

logger = logging.getLogger(__name__)

_LOCK_FAILURES = ("40P01", "55P03")
"""PostgreSQL's error codes for a deadlock and for a lock timeout."""
MAX_ATTEMPTS, RETRY_DELAY = 60, 1.0
"""The maximum attempts of an upgrade that can't get its locks, and the seconds in between."""


def upgrade(database: Database, plugins: Sequence[Plugin]) -> None:
    """Migrate the tables of ``plugins`` to their newest revision and the newest step of the kit.

    Core's tables come first, then the plugins' in the given order. On SQLite, each plugin has one
    transaction; on PostgreSQL, each revision and each step has its own, so that no lock is held
    longer than necessary. An interrupted upgrade is continued by the next one. Concurrent upgrades
    wait for each other. On PostgreSQL, an upgrade that needs a lock on a table in use gives way and
    tries again. Tables that a newer version of a plugin has migrated stay unchanged.

    :raises StartError: if a plugin needs a newer core, or an empty database has an encoding that
        can't store every text, before anything is migrated; if a migration
        fails or leaves dangling foreign keys; if a step of the kit can't be applied to a table; if
        a table stays in use.
    """
    before = status(database, plugins)
    if wrong := troubles(found for found in before if found.is_too_new):
        raise StartError(wrong)
    is_empty = all(found.revision is None for found in before)
    if is_empty and (wrong := encoding_trouble(database)):
        raise StartError(f"{wrong}; {REMEDY}")
    for number, (plugin, found) in enumerate(zip(migrated(plugins), before, strict=True), 1):
        if found.is_newer:
            logger.warning(
                "The tables of %s are newer (%s) than its code", plugin.name, found.revision
            )
        if found.is_behind:
            for line in warnings(plugin, found):
                logger.warning("%s", line)
            try:
                _upgrade(database, plugin)
            except Exception as error:
                raise failed_upgrade(database, plugin, error, before[number:]) from error
    build_list_indexes(database, plugins)
    if any(found.is_behind for found in before):
        # Without a session, whose hooks of plugins may need tables that are created later.
        with database.engine.begin() as connection:
            touch(connection)


def warnings(plugin: Plugin, found: State) -> list[str]:
    """Return a line for each rule of rolling upgrades that a pending revision breaks.

    Without tables there are no processes that use them.

    :param found: the state of the plugin's tables.
    """
    if found.revision is None or not found.lacks_revision:
        return []
    return [
        f"Revision {revision} of {plugin.name} may disturb running processes ({rule}): {reason}"
        for revision in pending_revisions(found.revision, plugin)
        for rule, reason in exceptions_of(plugin, revision).items()
    ]


def plan(database: Database, plugins: Sequence[Plugin]) -> list[str]:
    """Return a line for each revision and step that ``upgrade`` would apply, and its warnings."""
    lines = []
    for plugin, found in zip(migrated(plugins), status(database, plugins), strict=True):
        pending = pending_revisions(found.revision, plugin) if found.lacks_revision else []
        lines += [f"{plugin.name}: revision {revision}" for revision in pending]
        if found.lacks_step:
            lines.append(f"{plugin.name}: kit {found.kit} to {steps.newest()}")
        lines += warnings(plugin, found)
    return lines


def current(database: Database, plugins: Sequence[Plugin]) -> dict[str, str | None]:
    """Return the revision of each plugin that has migrations; None if it has no tables yet."""
    return {found.plugin: found.revision for found in status(database, plugins)}


def pending(database: Database, plugins: Sequence[Plugin]) -> list[str]:
    """Return the names of the plugins that ``upgrade`` would migrate.

    Plugins whose tables are newer than their code aren't among them.
    """
    return [found.plugin for found in status(database, plugins) if found.is_behind]


def status(database: Database, plugins: Sequence[Plugin]) -> list[State]:
    """Return the state of each plugin that has migrations, core first."""
    with database.read() as connection:
        return states(connection, migrated(plugins))


def status_of_others(database: Database, plugins: Sequence[Plugin]) -> dict[str, str]:
    """Return the revision of each disabled or removed plugin whose tables exist."""
    with database.read() as connection:
        return revisions_of_others(connection, plugins)


def warn_of_others(database: Database, plugins: Sequence[Plugin]) -> None:
    """Log a warning if plugins have tables but aren't enabled, which may be an accident."""
    others = status_of_others(database, plugins)
    if others:
        logger.warning(
            "The database has tables of %s, which masthead.plugins doesn't enable or which aren't"
            " installed; their content isn't shown",
            ", ".join(others),
        )


def check_current(database: Database, plugins: Sequence[Plugin]) -> None:
    """Check that no plugin's tables need a migration.

    :raises StartError: if some do, or if a plugin needs a newer core.
    """
    wrong = troubles(status(database, plugins))
    if wrong:
        raise StartError(wrong)


def revision(plugins: Sequence[Plugin], name: str, message: str) -> Path:
    """Generate a migration for the models of the plugin ``name``, and return its file.

    It contains the difference between the models and a temporary SQLite database to which the
    existing migrations of ``plugins`` are applied.

    :raises StartError: if no such plugin with tables and migrations is enabled.
    """
    plugin = next((plugin for plugin in migrated(plugins) if plugin.name == name), None)
    if plugin is None or plugin.metadata is None:
        raise StartError(f"no enabled plugin {name} with tables and migrations")
    with TemporaryDirectory() as folder:
        database = Database(f"sqlite:///{folder}/scratch.sqlite")
        try:
            upgrade(database, plugins)
            with migrating(database) as (connection, _):
                written = _write_revision(plugin, message, alembic_config(plugin, connection))
        finally:
            database.dispose()
    if find_spec("ruff"):
        for arguments in (["check", "--fix", "--select=F401,I"], ["format"]):
            subprocess.run([sys.executable, "-m", "ruff", *arguments, "-q", written], check=True)
    return written


def options(plugin: Plugin) -> dict[str, Any]:
    """Return the options with which Alembic considers only the tables of ``plugin``."""
    from masthead.db.kit.autogenerate import KitFilter

    metadata, kit = plugin.metadata, KitFilter(plugin)

    def includes_name(name: str | None, kind: str, _parents: Any) -> bool:
        if kind == "table" and (metadata is None or not owns(metadata, name or "")):
            return False
        return kit.includes_name(name, kind)

    return {
        "target_metadata": metadata,
        "version_table": version_table(plugin),
        "include_name": includes_name,
        "include_object": kit.includes,
        "process_revision_directives": kit.rewrite,
        "render_as_batch": True,
        "transaction_per_migration": True,
        "render_item": _render_type,
    }


def _upgrade(database: Database, plugin: Plugin) -> None:
    for attempt in range(1, MAX_ATTEMPTS + 1):
        try:
            _upgrade_once(database, plugin)
        except OperationalError as error:
            if getattr(error.orig, "sqlstate", "") not in _LOCK_FAILURES:
                raise
            in_use = f"other transactions use the tables of {plugin.name}"
            if attempt == MAX_ATTEMPTS:
                raise StartError(f"{in_use}; run masthead db upgrade again") from error
            logger.warning("Attempt %d to migrate failed: %s", attempt, in_use)
        else:
            logger.info("Migrated the tables of %s", plugin.name)
            return
        # The attempt was rolled back, so transactions that wait for its locks continue meanwhile.
        time.sleep(RETRY_DELAY)


def _upgrade_once(database: Database, plugin: Plugin) -> None:
    with migrating(database) as (connection, commit):
        # Another process may have migrated while this one waited.
        [found] = states(connection, [plugin])
        commit()
        if found.lacks_revision:
            from alembic import command

            command.upgrade(alembic_config(plugin, connection), "head")
            _check_foreign_keys(connection, plugin)
        apply_missing_steps(connection, kit_tables(plugin), commit)


def _check_foreign_keys(connection: Connection, plugin: Plugin) -> None:
    if connection.dialect.name == "sqlite":
        broken = connection.exec_driver_sql("PRAGMA foreign_key_check").first()
        if broken is not None:
            raise StartError(
                f"the migration of {plugin.name} leaves rows of {broken[0]} that refer to missing"
                f" rows of {broken[2]}; it was rolled back"
            )


def alembic_config(plugin: Plugin, connection: Connection | None = None) -> Config:
    """Return the Alembic configuration of one plugin, in place of an ``alembic.ini``."""
    from alembic.config import Config

    from masthead.db import batch  # noqa: F401 - registers PreservingSQLiteImpl with Alembic

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
    if kind == "type" and isinstance(item, UTCDateTime | FixedPoint):
        name = type(item).__name__
        context.imports.add(f"from masthead import {name}")
        return f"{name}()"
    if kind == "type" and not type(item).__module__.startswith("sqlalchemy."):
        # Alembic then renders the type with the full name of its module.
        context.imports.add(f"import {type(item).__module__}")
    return False
