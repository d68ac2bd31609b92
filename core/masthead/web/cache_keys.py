"""The keys by which shared caches, such as those of a CDN, purge answers.

An answer has the key of each table that it reads, such as ``news``, and the key of all answers. The
answer about one item has the item's key instead, such as ``news-12``, and that of all answers about
items. A transaction purges the keys of the tables and rows that it changes, so an answer that it
outdates has at least one of them.
"""

from __future__ import annotations

from sqlalchemy.orm import Session

from masthead.db.changed_rows import changed_rows, owner_of
from masthead.db.changed_tables import changed_tables
from masthead.db.read_tables import Tables
from masthead.http.environ import Row
from masthead.instance import Instance, instance_of

ALL_ANSWERS = "all"
"""The key of all answers."""
_UNKNOWN = "unknown"
"""The key of the answers that may depend on any table."""
_ITEMS = "items"
_LONGEST = 4_000
"""The number of characters of the keys of an answer; caches refuse long headers."""
_MOST_ROWS = 100
"""The number of changed rows of a table that a transaction names one by one."""


class CacheKeys:
    """The keys of an instance: a table of a type has the name of the type, others their own."""

    def __init__(self, instance: Instance) -> None:
        self._names: dict[str, str] = {
            **{each.model.__tablename__: name for name, each in instance.resources.items()},
            **{each.model.__tablename__: name for name, each in instance.content_types.items()},
        }
        self._owners = {
            table.name: owner_of(table)
            for plugin in instance.plugins
            if plugin.metadata is not None
            for table in plugin.metadata.tables.values()
        }

    def of_answer(self, tables: Tables, row: Row | None) -> list[str]:
        """Return the keys of an answer.

        :param tables: the tables that it depends on; None if they aren't known.
        :param row: the only row of its table that it depends on.
        """
        if tables is None:
            return [ALL_ANSWERS, _UNKNOWN]
        whole = {each for each in tables if row is None or self._owner(each) != row.table}
        keys = [self._name(each) for each in sorted(whole)]
        if row is not None and whole != tables:
            name = self._name(row.table)
            keys += [f"{name}-{row.key}", f"{name}-{_ITEMS}"]
        # An answer with too many keys counts as one that depends on any table.
        return [ALL_ANSWERS, *(keys if sum(map(len, keys)) < _LONGEST else [_UNKNOWN])]

    def of_changes(self, session: Session) -> list[str]:
        """Return the keys of the answers that the transaction outdates; none if it outdates none.

        Call it shortly before the commit.
        """
        session.flush()
        connection = session.connection()
        tables = changed_tables(connection)
        if tables is None:
            return [ALL_ANSWERS]
        keys = {self._name(table) for table in tables}
        for owner in {self._owner(table) for table in tables}:
            name, rows = self._name(owner), changed_rows(connection, owner)
            if rows is None or len(rows) > _MOST_ROWS:
                keys.add(f"{name}-{_ITEMS}")
            else:
                keys.update(f"{name}-{row}" for row in rows)
        return sorted(keys | {_UNKNOWN}) if keys else []

    def _owner(self, table: str) -> str:
        return self._owners.get(table, table)

    def _name(self, table: str) -> str:
        return self._names.get(table, table)


def changed_cache_keys(session: Session) -> list[str]:
    """Return the keys of the public answers that the session's transaction outdates.

    Call it shortly before the commit, as in the hook ``masthead_committing``.

    :returns: no keys if no public answer changes.
    """
    return instance_of(session).shared(CacheKeys).of_changes(session)
