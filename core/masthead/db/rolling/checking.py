"""The check of all revisions of a plugin, one after the other, in an empty database."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection

from masthead.db import migrate
from masthead.db.engine import Database
from masthead.db.kit.applying import apply_missing_steps
from masthead.db.kit.tables import kit_tables
from masthead.db.migrating import migrating
from masthead.db.rolling.blocking import Blocking
from masthead.db.rolling.expansion import Shape, changes, shape_of
from masthead.db.rolling.findings import LOCK_RULES, SCHEMA_RULES, undeclared
from masthead.db.status import migrated

if TYPE_CHECKING:
    from masthead.plugins import Plugin


def migration_problems(
    database: Database, plugins: Sequence[Plugin], names: Collection[str] = ()
) -> list[str]:
    """Migrate an empty database, and return the revisions that break a rule of rolling upgrades.

    Each line begins with the plugin and the revision; the list is empty if all of them can run
    while processes of the previous release serve requests. A revision declares an exception as
    ``exceptions = {"dropped-table": "why no process uses it"}``; a declaration that isn't needed is
    a problem too. On SQLite only the changes of tables are checked, on PostgreSQL also the locks.

    :param names: the plugins to check; empty means all.
    """
    lines = []
    for plugin in migrated(plugins):
        if names and plugin.name not in names:
            migrate.upgrade(database, [plugin])
            continue
        lines += [
            f"{plugin.name} {revision}: {problem}"
            for revision, problems in _check(database, plugin)
            for problem in problems
        ]
    return lines


def _check(database: Database, plugin: Plugin) -> Iterator[tuple[str, list[str]]]:
    from alembic import command
    from alembic.script import ScriptDirectory

    with migrating(database) as (connection, commit):
        config = migrate.alembic_config(plugin, connection)
        blocking = Blocking(connection) if database.dialect == "postgresql" else None
        commit()
        scripts = [*ScriptDirectory.from_config(config).walk_revisions()]
        earlier = before = _shape(connection, plugin, commit)
        for script in reversed(scripts):
            watched: Any = blocking.watching(connection) if blocking else nullcontext([])
            with watched as found:
                command.upgrade(config, script.revision)
            after = _shape(connection, plugin, commit)
            findings = [*found, *changes(earlier, before, after)]
            earlier, before = before, after
            declared: Mapping[str, str] = getattr(script.module, "exceptions", {})
            checked = LOCK_RULES | SCHEMA_RULES if blocking else SCHEMA_RULES
            yield script.revision, undeclared(findings, declared, checked)
        watched = blocking.watching(connection) if blocking else nullcontext([])
        with watched as found:
            apply_missing_steps(connection, kit_tables(plugin), commit)
        yield "kit", undeclared(found, {}, frozenset())


def _shape(connection: Connection, plugin: Plugin, commit: Callable[[], object]) -> Shape:
    found = shape_of(connection, plugin.name)
    commit()
    return found
