"""Retention: what core keeps for a while only, and the jobs that delete what is older."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import delete, select
from sqlalchemy.orm import InstrumentedAttribute, Session

from masthead.audit.models import AuditEntry
from masthead.auth.services.logins import forget_failures
from masthead.db import utcnow
from masthead.notifications.models import Notification
from masthead.settings import Setting, integer
from masthead.worker.jobs import Job

if TYPE_CHECKING:
    from masthead.instance import Instance

_DAYS = integer(0, 36_500)

NOTIFICATIONS = Setting(
    "masthead.retention.notifications",
    _DAYS,
    "90",
    "Days for which notifications are kept after they were read; 0 keeps them for ever.",
    shows=False,
)
AUDIT = Setting(
    "masthead.retention.audit",
    _DAYS,
    "730",
    "Days for which entries of the audit log are kept; 0 keeps them for ever.",
    shows=False,
)

_EVERY = timedelta(hours=6)
_PORTION = 500
"""Rows deleted in one transaction."""


def retention_jobs(instance: Instance) -> list[Job]:
    """The jobs that keep core's tables from growing for ever."""
    settings = instance.settings
    return [
        Job(
            "notifications.retention",
            _EVERY,
            _deleting(Notification.id, Notification.read_at, settings[NOTIFICATIONS]),
        ),
        Job("audit.retention", _EVERY, _deleting(AuditEntry.id, AuditEntry.at, settings[AUDIT])),
        Job("auth.login-failures", _EVERY, forget_failures),
    ]


def _deleting(
    key: InstrumentedAttribute[int], moment: InstrumentedAttribute[Any], days: int
) -> Callable[[Session], bool]:
    """Work that deletes the rows whose moment is so many days ago."""

    def run(session: Session) -> bool:
        if not days:
            return False
        old = select(key).where(moment < utcnow() - timedelta(days=days)).limit(_PORTION)
        found = list(session.scalars(old))
        session.execute(
            delete(key.class_).where(key.in_(found)).execution_options(synchronize_session=False)
        )
        return len(found) == _PORTION

    return run
