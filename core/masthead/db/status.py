"""The migration status of a plugin's tables: their revision, and their step of the kit."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from sqlalchemy import Connection, inspect

from masthead.db.history import current_revisions, kit_of, state, versions_of
from masthead.db.kit import steps
from masthead.db.kit.records import recorded
from masthead.db.kit.tables import KitTable, kit_tables

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
    def summary(self) -> str:
        """A description of tables without a problem."""
        return "newer than the installed version" if self.is_newer else "ok"

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
    return "; ".join(f"{', '.join(each)}; {remedy}" for remedy, each in wrong.items()) or None


def migrated(plugins: Sequence[Plugin]) -> list[Plugin]:
    """Return the plugins that have migrations, core first."""
    with_migrations = [plugin for plugin in plugins if plugin.migrations]
    return sorted(with_migrations, key=lambda plugin: plugin.name != "core")


def states(connection: Connection, plugins: Sequence[Plugin]) -> list[State]:
    """Return the state of each plugin; all must have migrations."""
    names = frozenset(inspect(connection).get_table_names())
    revisions, records = current_revisions(connection, names), recorded(connection)
    return [
        State(
            plugin.name,
            revisions.get(plugin.name),
            state(revisions.get(plugin.name), plugin),
            _lowest_step(plugin, names, records),
            kit_of(versions_of(plugin)),
        )
        for plugin in plugins
    ]


def revisions_of_others(connection: Connection, plugins: Sequence[Plugin]) -> dict[str, str]:
    """Return the revisions of the tables of disabled or removed plugins, by the plugin's name."""
    revisions = current_revisions(connection, inspect(connection).get_table_names())
    enabled = {plugin.name for plugin in plugins}
    return {name: revisions[name] for name in sorted(revisions.keys() - enabled)}


def _lowest_step(
    plugin: Plugin, names: Collection[str], records: Mapping[str, tuple[str, int]]
) -> int | None:
    # A revision still has to create a table that doesn't exist.
    existing = [table for table in kit_tables(plugin) if table.name in names]
    return min((_step(table, records) for table in existing), default=None)


def _step(table: KitTable, records: Mapping[str, tuple[str, int]]) -> int:
    kit, step = records.get(table.name, ("", 0))
    return step if kit == table.kit else 0
