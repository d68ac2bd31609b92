"""Making waiting edits live at their time.

The first public request after that time does it, so that no other process is needed. Without such a
request, a job of the worker does it.
"""

from __future__ import annotations

import logging
import threading
from collections import defaultdict
from datetime import UTC, datetime
from typing import NamedTuple

from sqlalchemy import Connection, Select, Text, cast, literal, select, union_all
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from masthead.content.contenttype import ContentType, content_types_of
from masthead.content.locking import lock_items
from masthead.content.services import make_due_live
from masthead.content.times import SCHEDULE
from masthead.content.waiting import WAITING
from masthead.db import utcnow
from masthead.instance import Instance, instance_of
from masthead.schemas.field_types import Timestamp

AT_ONCE = 100
"""The number of items per transaction; on SQLite, other writers wait for its end."""

_TIME = Timestamp()
_ALWAYS = datetime.min.replace(tzinfo=UTC)
logger = logging.getLogger(__name__)


class _Edit(NamedTuple):
    content_type: ContentType
    item_id: int
    at: datetime


class DueEdits:
    """The waiting edits of an instance, and their times."""

    def __init__(self, instance: Instance) -> None:
        self._instance = instance
        self._content_types = {it.name: it for it in content_types_of(instance)}
        each = [_waiting(content_type) for content_type in self._content_types.values()]
        self._statement = union_all(*each) if each else None
        self._running = threading.Lock()

    def next_time(self, connection: Connection, now: datetime) -> datetime | None:
        """Return the first time after ``now`` at which edits go live."""
        return min((edit.at for edit in self._find(connection) if edit.at > now), default=None)

    def publish(self) -> bool:
        """Make due edits live for a public request, and return whether there were any.

        If that fails, the public sees the live copy until the worker succeeds. Of several requests
        at once, only one waits.
        """
        with self._instance.database.read() as connection:
            due = self._due(connection)
        if due and self._instance.maintenance.is_on():
            return False
        if not due or not self._running.acquire(blocking=False):
            return False
        try:
            more = True
            while more:
                with self._instance.database.transaction() as session:
                    more = self.make_live(session)
        except SQLAlchemyError as error:
            logger.warning("Due edits wait for the worker: %s", " ".join(str(error).split()))
            return False
        # It runs code of plugins, and a failure must not fail the request.
        except Exception:
            logger.exception("Due edits wait for the worker")
            return False
        finally:
            self._running.release()
        return True

    def make_live(self, session: Session) -> bool:
        """Make some of the due edits live, and return whether there may be more."""
        due = self._due(session.connection())
        ids = defaultdict[str, list[int]](list)
        for edit in due[:AT_ONCE]:
            ids[edit.content_type.name].append(edit.item_id)
        for name, chosen in ids.items():
            content_type = self._content_types[name]
            for item in lock_items(session, content_type, chosen).values():
                # Another process may have been first; then nothing is due.
                make_due_live(session, content_type, item)
        session.flush()
        return len(due) > AT_ONCE

    def _due(self, connection: Connection) -> list[_Edit]:
        now = utcnow()
        return [edit for edit in self._find(connection) if edit.at <= now]

    def _find(self, connection: Connection) -> list[_Edit]:
        if self._statement is None:
            return []
        rows = connection.execute(self._statement).all()
        # Imported edits may have no time.
        return [
            _Edit(self._content_types[name], item_id, _TIME.restore(at) if at else _ALWAYS)
            for name, item_id, at in rows
        ]


def make_due_edits_live(session: Session) -> bool:
    """Make some of the due edits live, and return whether there may be more."""
    return instance_of(session).shared(DueEdits).make_live(session)


def _waiting(content_type: ContentType) -> Select[str, int, str]:
    table = content_type.table
    at = cast(table.c.staged[SCHEDULE].as_string(), Text)
    return select(literal(content_type.name), table.c.id, at).where(WAITING)
