"""The migration status of a plugin's tables: their revision, and their step of the kit."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from sqlalchemy import Connection, inspect

from masthead.db.history import current_revision, kit_of, state, versions_of
from masthead.db.kit import steps
from masthead.db.kit.records import recorded
from masthead.db.kit.tables import KitTable, kit_tables
from masthead.errors import StartError

if TYPE_CHECKING:
    from masthead.plugins import Plugin


@dataclass(frozen=True)
class State:
    """The state of a plugin's tables."""

    plugin: str
    revision: str | None
    """None if there are no tables yet."""
    related: Literal["behind", "current", "newer"]
    """How the revision compares to the plugin's code."""
    kit: int | None
    """The lowest step of the kit among the tables, 0 for a table without a record of its kit; None
    if no table uses the kit."""
    needed: int
    """The number of the kit that the plugin was built for."""

    @property
    def lacks_revision(self) -> bool:
        """Whether the plugin has a revision that the tables lack."""
        return self.related == "behind"

    @property
    def lacks_step(self) -> bool:
        """Whether a table lacks a step of the kit."""
        return self.kit is not None and self.kit < steps.newest()

    @property
    def is_behind(self) -> bool:
        """Whether the tables need a migration."""
        return self.lacks_revision or self.lacks_step

    @property
    def is_newer(self) -> bool:
        """Whether a newer version of the plugin has migrated the tables."""
        return self.related == "newer"

    @property
    def trouble(self) -> str | None:
        """A description of the problem; None if there is none."""
        newest = steps.newest()
        if self.is_too_new:
            return f"{self.plugin} was built for kit {self.needed}, masthead-core has kit {newest}"
        if self.lacks_revision:
            return f"the tables of {self.plugin} lack a revision"
        if self.lacks_step:
            return f"the tables of {self.plugin} lack kit {newest}"
        return None

    @property
    def is_too_new(self) -> bool:
        """Whether the plugin was built for a newer kit than this core has."""
        return self.needed > steps.newest()

    @property
    def remedy(self) -> str:
        """The instruction that solves the problem."""
        return "upgrade masthead-core" if self.is_too_new else "run masthead db upgrade"


def troubles(found: Iterable[State]) -> str | None:
    """Return the problems of plugins and their remedies in one line; None if there are none."""
    wrong = defaultdict[str, list[str]](list)
    for each in found:
        if each.trouble:
            wrong[each.remedy].append(each.trouble)
    return "; ".join(f"{', '.join(what)}; {remedy}" for remedy, what in wrong.items()) or None


def migrated(plugins: Sequence[Plugin]) -> list[Plugin]:
    """Return the plugins that have migrations, core first."""
    with_migrations = [plugin for plugin in plugins if plugin.migrations]
    return sorted(with_migrations, key=lambda plugin: plugin.name != "core")


def states(connection: Connection, plugins: Sequence[Plugin]) -> list[State]:
    """Return the state of each plugin; all must have migrations."""
    records = recorded(connection)
    return [_state(connection, plugin, records) for plugin in plugins]


def check_kits(plugins: Sequence[Plugin]) -> None:
    """Check that no plugin was built for a newer kit than this core has.

    :raises StartError: if one was.
    """
    wrong = troubles(
        State(plugin.name, None, "current", None, kit_of(versions_of(plugin))) for plugin in plugins
    )
    if wrong:
        raise StartError(wrong)


def _state(connection: Connection, plugin: Plugin, records: Mapping[str, tuple[str, int]]) -> State:
    found = current_revision(connection, plugin)
    return State(
        plugin.name,
        found,
        state(found, plugin),
        _oldest_step(connection, plugin, records),
        kit_of(versions_of(plugin)),
    )


def _oldest_step(
    connection: Connection, plugin: Plugin, records: Mapping[str, tuple[str, int]]
) -> int | None:
    tables = kit_tables(plugin)
    found = [_step(table, records) for table in tables if table.name in records]
    # A revision still has to create the other tables.
    unrecorded = [table.name for table in tables if table.name not in records]
    found += [0 for name in unrecorded if inspect(connection).has_table(name)]
    return min(found, default=None)


def _step(table: KitTable, records: Mapping[str, tuple[str, int]]) -> int:
    kit, step = records[table.name]
    return step if kit == table.kit else 0
