"""Where the outbox lies, so that a restored copy doesn't send what was sent long ago.

On PostgreSQL a restored database is another one. On SQLite it is a file like the one before; so
there is another file, in the data folder, which says how far sending has come.
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
    """Whether this database is the one that mail was last sent from; notes that it is.

    Where it isn't, sending is paused and staff are told.
    """
    outbox = _outbox(session, instance)
    if not outbox.paused and not _is_last_sender(outbox, session, instance):
        outbox.paused = True
        told = Notice(
            title="E-mail is paused",
            message="The database seems to have been restored from a backup. Mail that was sent"
            " since then would be sent again. masthead mail resume goes on.",
        )
        notify(session, holders("email.write"), told)
    if outbox.paused:
        return False
    outbox.runs += 1
    return True


def record_run(session: Session, instance: Instance) -> None:
    """Remember, once ``begin_run`` is committed, how far sending has come."""
    if instance.database.dialect == "sqlite":
        _write(instance, session.scalars(select(Outbox)).one())


def resume_sending(session: Session, instance: Instance) -> bool:
    """Let this database send from now on; returns False where it did."""
    outbox = _outbox(session, instance)
    paused = outbox.paused or not _is_last_sender(outbox, session, instance)
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
        # Before any worker has sent, so that a second one that starts now finds it.
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


def _is_last_sender(outbox: Outbox, session: Session, instance: Instance) -> bool:
    if instance.database.dialect == "postgresql":
        return outbox.database_id == _database_id(session, instance)
    try:
        database_id, runs = _file(instance).read_text(encoding="ascii").split()
    except (OSError, ValueError):
        # Before the first mail there is no file yet.
        return outbox.runs == 0
    # Where nothing was sent from there, the row that came with the file was never committed.
    return int(runs) == 0 or (database_id == outbox.database_id and int(runs) <= outbox.runs)


def _file(instance: Instance) -> Path:
    return instance.data / "mail.place"
