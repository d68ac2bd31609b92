"""Retention: deleting rows after a limited time."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from sqlalchemy import delete, select
from sqlalchemy.orm import InstrumentedAttribute, Session

from masthead.db import utcnow

_BATCH = 500
"""Rows deleted in one transaction."""


def deleting(
    key: InstrumentedAttribute[int], moment: InstrumentedAttribute[Any], days: float
) -> Callable[[Session], bool]:
    """Return the work of a job that deletes old rows.

    :param key: the primary key of the table.
    :param moment: the time from which the age of a row counts; rows without it are kept.
    :param days: the age in days at which rows are deleted; 0 keeps all.
    """

    def run(session: Session) -> bool:
        if not days:
            return False
        old = select(key).where(moment < utcnow() - timedelta(days=days)).limit(_BATCH)
        found = list(session.scalars(old))
        session.execute(
            delete(key.class_).where(key.in_(found)).execution_options(synchronize_session=False)
        )
        return len(found) == _BATCH

    return run
