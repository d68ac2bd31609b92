"""A period in which public answers don't change, and the versions of tables in it."""

from __future__ import annotations

import itertools
import secrets
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta

from masthead.db.content_version import TableVersions
from masthead.db.read_tables import Tables

_SETTLING = timedelta(seconds=3)
"""The time after a change in which answers have no date.

A date has only seconds. So a client could have an earlier answer of the same second, perhaps from
another process, which notices changes later.
"""
_NEXT = timedelta(seconds=1)
_numbers = itertools.count(1)
_OWN_KEY = secrets.token_bytes(32)
"""The key of entity tags until the first change stores one."""


class Generation:
    """The versions of tables in a period without a write and without a visibility change.

    :param versions: the content version.
    :param passed: the last visibility change of each content type, by the name of its table.
    :param since: the start of the period.
    :param until: the time of the next change; None if none is known.
    :param former: the generation before it in this process.
    """

    def __init__(
        self,
        versions: TableVersions,
        passed: Mapping[str, datetime],
        since: datetime,
        until: datetime | None,
        former: Generation | None,
    ) -> None:
        self.number = next(_numbers)
        self.token = versions.token
        self.tag_key = bytes.fromhex(versions.tag_key) if versions.tag_key else _OWN_KEY
        self._versions = versions
        self._passed = passed
        self._since, self.until = since, until
        known = former.noticed if former is not None else {}
        self.noticed: Mapping[str, tuple[datetime, datetime]] = {
            table: known[table] if table in known and known[table][0] == at else (at, since)
            for table, at in passed.items()
        }
        """Each visibility change, and the time at which this process noticed it."""
        self._marks: dict[Tables, object] = {}

    def is_valid(self, token: str, now: datetime) -> bool:
        """Whether it is the present period, for a content version and a time.

        A time before its start means that the clock has been set back.
        """
        return token == self.token and self._since <= now and (not self.until or now < self.until)

    def mark(self, tables: Tables) -> object:
        """Return a value that differs from that of another period if one of the tables differs."""
        found = self._marks.get(tables)
        if found is None:
            found = self._marks[tables] = tuple(self._versions_of(tables))
        return found

    def _versions_of(self, tables: Tables) -> Iterator[object]:
        if tables is None:
            yield self.token
            yield from sorted(self._passed.items())
        else:
            for table in sorted(tables):
                yield self._versions.of(table).token, self._passed.get(table)

    def changed_at(self, tables: Tables, now: datetime) -> datetime | None:
        """Return a time since which the tables haven't changed, to the second.

        :returns: None soon after a change, or if the time isn't known.
        """
        dates = list(self._dates(tables))
        last = max((at for at, _ in dates), default=None)
        if last is None or last + _SETTLING > now:
            return None
        return max(shown for _, shown in dates).replace(microsecond=0)

    def _dates(self, tables: Tables) -> Iterator[tuple[datetime, datetime]]:
        """Yield the time of each change, and the time that is shown for it."""
        changes = self._versions.changes
        named = changes.keys() | self.noticed.keys() if tables is None else tables
        written = {table: self._versions.of(table).at for table in named}
        for at in (self._versions.others.at, *written.values()):
            if at is not None:
                yield at, at
        for table in self.noticed.keys() & named:
            (passed, seen), at = self.noticed[table], written[table]
            if at is None or passed > at:
                # It may be a time in hidden content, so a time between it and the present is shown.
                yield passed, max(seen, passed + _SETTLING) - _SETTLING + _NEXT
