"""Backups as part of core: a setting, the check and the gauge of the last backup."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from sqlalchemy import Connection, select

from masthead.backup.finishing import restore_trouble
from masthead.backup.models import BackupState
from masthead.db import utcnow
from masthead.hookspecs import hookimpl
from masthead.instance import Check, Instance, Reading
from masthead.settings import Setting, integer

MAX_AGE = Setting(
    "masthead.backup.max_age",
    integer(0, 3650),
    "2",
    "Days after which masthead doctor warns that the last masthead backup is old; 0 if backups are"
    " made by other tools.",
    shows=False,
)
_MADE_AT = select(BackupState.made_at)


@hookimpl
def masthead_settings() -> list[Setting[Any]]:
    """Return the maximum age of the last backup."""
    return [MAX_AGE]


@hookimpl
def masthead_checks() -> list[Check | Reading]:
    """Return the checks of the last backup and of an unfinished restore, and the gauge."""
    return [
        Check(
            "backup",
            age_trouble,
            readiness=False,
            level="warning",
            remedy=f"masthead backup FOLDER, daily by a timer, see operations.md; or"
            f" {MAX_AGE.name} = 0",
            status=False,
        ),
        Check("restore", restore_trouble, readiness=False, remedy="masthead db upgrade"),
        Reading(
            "masthead_backup_last_timestamp_seconds",
            "Time of the last backup, in seconds since 1970; 0 for none, without a value if other"
            " tools make the backups.",
            (),
            _last_backup,
        ),
    ]


def age_trouble(instance: Instance) -> str | None:
    """Return the age of the last backup if it is old."""
    days = instance.settings[MAX_AGE]
    if not days:
        return None
    with instance.database.read() as connection:
        made_at = connection.execute(_MADE_AT).scalar()
    if made_at is None:
        return "no backup was made by masthead backup"
    age = utcnow() - made_at
    return f"the last backup is {age.days} days old" if age > timedelta(days=days) else None


def _last_backup(
    instance: Instance, connection: Connection
) -> Iterable[tuple[tuple[str, ...], float]]:
    if not instance.settings[MAX_AGE]:
        return []
    made_at = connection.execute(_MADE_AT).scalar()
    return [((), made_at.timestamp() if made_at else 0)]
