"""Clock boundaries: the times at which what the public sees changes without any write."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import Connection, select, union_all

from masthead.approval.declaration import Approvable
from masthead.content.contenttype import ContentType
from masthead.content.visibility import NOW


class Boundaries:
    """Finds the last boundary passed and the next one to come, of all content types."""

    def __init__(self, content_types: Iterable[Approvable]) -> None:
        columns = [
            kind.column(name)
            for kind in content_types
            if isinstance(kind, ContentType)
            for name in ("scheduledPublishAt", *kind.boundaries)
        ]
        passed = [
            select(column).where(column <= NOW).order_by(column.desc()).limit(1).subquery()
            for column in columns
        ]
        coming = [
            select(column).where(column > NOW).order_by(column).limit(1).subquery()
            for column in columns
        ]
        each = [select(found) for found in (*passed, *coming)]
        self._statement = union_all(*each) if each else None

    def around(
        self, connection: Connection, now: datetime
    ) -> tuple[datetime | None, datetime | None]:
        """The last boundary at or before ``now``, and the first one after it."""
        if self._statement is None:
            return None, None
        found = list(connection.execute(self._statement, {NOW.key: now}).scalars())
        return (
            max((each for each in found if each <= now), default=None),
            min((each for each in found if each > now), default=None),
        )
