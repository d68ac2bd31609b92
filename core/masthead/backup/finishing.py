"""The end of a restore, before a server or a worker uses the database."""

from __future__ import annotations

from sqlalchemy.orm import Session

from masthead.audit.services import record
from masthead.backup.models import STATE_ID, BackupState
from masthead.db.locking import lock
from masthead.instance import Instance


def finish_restore(session: Session, instance: Instance) -> list[str]:
    """End tokens, pause work with effects elsewhere, and record the restore, if there was one.

    :returns: messages for the user.
    """
    lock(session, "backup.restore")
    if session.get(BackupState, STATE_ID, populate_existing=True) is not None:
        return []
    session.add(BackupState(id=STATE_ID))
    record(session, "system.restore", None)
    session.flush()
    return list(instance.hooks.masthead_restored(session=session))


def restore_trouble(instance: Instance) -> str | None:
    """Return whether a restore isn't finished."""
    with instance.database.session(read_only=True) as session:
        if session.get(BackupState, STATE_ID) is not None:
            return None
    return "the database was restored from a backup, and the restore isn't finished"
