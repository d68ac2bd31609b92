"""The restore guard: pauses sending from a database that was restored from a backup.

On PostgreSQL a restored database has another identifier. On SQLite it is an identical file, so the
file ``mail.place`` in the data folder records the database's id and its number of delivery runs.
"""

from __future__ import annotations

import secrets
from pathlib import Path

from sqlalchemy import select, text
from sqlalchemy.orm import Session

from masthead import Instance, Notice, holders, lock, notify
from masthead_email.outbox.models import Outbox

_POSTGRESQL = text(
    "SELECT system_identifier || '/' || (SELECT oid FROM pg_database WHERE datname ="
    " current_database()) FROM pg_control_system()"
)


def begin_run(session: Session, instance: Instance) -> bool:
    """Record a delivery run; return whether sending is allowed.

    If another database sent the last mail, this one appears restored: pause and notify staff.
    """
    outbox = _outbox(session, instance)
    if not outbox.paused and not _sent_last(outbox, session, instance):
        outbox.paused = True
        notice = Notice(
            title="E-mail is paused",
            message="The database seems to have been restored from a backup. Mail that was sent"
            " since that backup would be sent again. Resume with: masthead mail resume",
        )
        notify(session, holders("email.write"), notice)
    if outbox.paused:
        return False
    outbox.runs += 1
    return True


def record_run(session: Session, instance: Instance) -> None:
    """Write the run that ``begin_run`` has committed to the data folder."""
    if instance.database.dialect == "sqlite":
        _write(instance, session.scalars(select(Outbox)).one())


def resume_sending(session: Session, instance: Instance) -> bool:
    """Allow this database to send; return whether sending was paused."""
    outbox = _outbox(session, instance)
    paused = outbox.paused or not _sent_last(outbox, session, instance)
    outbox.paused = False
    outbox.database_id = _database_id(session, instance)
    outbox.runs = 0
    return paused


def _outbox(session: Session, instance: Instance) -> Outbox:
    lock(session, "email.outbox")
    outbox = session.get(Outbox, 1)
    if outbox is None:
        outbox = Outbox(id=1, database_id=_database_id(session, instance), runs=0, paused=False)
        session.add(outbox)
        # Before the first run, so that a second worker that starts now finds the file.
        if instance.database.dialect == "sqlite" and not _file(instance).exists():
            _write(instance, outbox)
    return outbox


def _write(instance: Instance, outbox: Outbox) -> None:
    file = _file(instance)
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    new = file.with_suffix(f".{secrets.token_hex(4)}")
    new.write_text(f"{outbox.database_id} {outbox.runs}\n", encoding="ascii")
    new.replace(file)


def _database_id(session: Session, instance: Instance) -> str:
    if instance.database.dialect == "postgresql":
        return str(session.execute(_POSTGRESQL).scalar_one())
    return secrets.token_hex(8)


def _sent_last(outbox: Outbox, session: Session, instance: Instance) -> bool:
    if instance.database.dialect == "postgresql":
        return outbox.database_id == _database_id(session, instance)
    try:
        database_id, runs = _file(instance).read_text(encoding="ascii").split()
    except (OSError, ValueError):
        # Before the first run there is no file.
        return outbox.runs == 0
    # A file without a run belongs to a row that was never committed.
    return int(runs) == 0 or (database_id == outbox.database_id and int(runs) <= outbox.runs)


def _file(instance: Instance) -> Path:
    return instance.data / "mail.place"
