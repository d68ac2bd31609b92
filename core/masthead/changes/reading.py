"""Reading the change log from a cursor on."""

from __future__ import annotations

import logging
from collections.abc import Collection, Sequence
from typing import NamedTuple

from sqlalchemy import func, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from masthead.changes.models import Change, ChangeLog
from masthead.changes.recording import record_due
from masthead.content.contenttype import content_types_of
from masthead.content.due_edits import DueEdits
from masthead.content.public_changes import due_items
from masthead.db import utcnow
from masthead.errors import Busy, Gone
from masthead.instance import Instance

GONE = "The log begins later than this cursor; load everything, and go on from a new cursor"
_RETRY_AFTER = 5
logger = logging.getLogger(__name__)


class Cursor(NamedTuple):
    """A place in the log, after the change with a number."""

    epoch: str
    number: int

    def __str__(self) -> str:
        return f"{self.epoch}-{self.number}"


class Part(NamedTuple):
    """A part of the log, the cursor behind it, and whether there is more."""

    changes: Sequence[Change]
    cursor: Cursor
    more: bool


def complete_log(instance: Instance) -> None:
    """Record what appeared or vanished by the passing of time, so that the log is complete.

    If that fails, the worker does it later.
    """
    instance.shared(DueEdits).publish()
    if not _has_due(instance) or instance.maintenance.is_on():
        return
    try:
        more = True
        while more:
            with instance.database.transaction() as session:
                more = record_due(session)
    except SQLAlchemyError as error:
        logger.warning("Changes wait for the worker: %s", " ".join(str(error).split()))


def _has_due(instance: Instance) -> bool:
    with instance.database.read() as connection:
        until = connection.execute(select(ChangeLog.until)).scalar()
        types = content_types_of(instance)
        return until is None or bool(due_items(connection, types, until, utcnow(), limit=1))


def read_changes(
    session: Session,
    since: Cursor | None,
    limit: int,
    content_types: Collection[str],
    *,
    public: bool,
) -> Part:
    """Return changes after a cursor, in the order of commits.

    :param since: where the client has read up to; None for the end of the log.
    :param content_types: the types whose changes are returned.
    :param public: whether to return only changes that the public sees.
    :raises Gone: for a cursor after which changes are deleted, or that is of another database.
    """
    number = Change.public_number if public else Change.number
    end = _end(session, public=public)
    if since is None:
        return Part([], end, more=False)
    # Changes before the cursor may be deleted; the first one that is left is then the next.
    first = session.scalar(select(func.min(number)))
    missed = since.number < (end.number if first is None else first - 1)
    if since.epoch != end.epoch or since.number > end.number or missed:
        raise Gone(GONE)
    found = select(Change, number.label("number")).where(
        number > since.number,
        # The log may have grown since its end was read.
        number <= end.number,
        Change.content_type.in_(content_types),
    )
    rows = session.execute(found.order_by(number).limit(limit + 1)).all()
    changes = [row[0] for row in rows[:limit]]
    if len(rows) <= limit:
        return Part(changes, end, more=False)
    return Part(changes, Cursor(end.epoch, rows[limit - 1].number), more=True)


def _end(session: Session, *, public: bool) -> Cursor:
    """Return the cursor of the end of the log.

    :raises Busy: if the log isn't there yet, because nothing could be written.
    """
    epoch, last = (
        (ChangeLog.public_epoch, ChangeLog.last_public)
        if public
        else (ChangeLog.epoch, ChangeLog.last)
    )
    row = session.execute(select(epoch, last)).one_or_none()
    if row is None:
        message = "The change log can't be written now"
        raise Busy(message, _RETRY_AFTER)
    return Cursor(*row)
