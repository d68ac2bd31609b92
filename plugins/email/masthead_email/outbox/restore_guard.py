"""The restore guard: pauses sending from a database that is a copy of another one.

The original may have sent the same mail meanwhile. On PostgreSQL a copy has another identifier. On
SQLite it is an equal file, so the file ``mail.place`` in the data folder records the database's id,
its number of delivery runs and the inode of its file. An imported export counts as a copy.
"""

from __future__ import annotations

import secrets
from pathlib import Path

from sqlalchemy import select, text
from sqlalchemy.orm import Session

from masthead import Instance, Notice, holders, instance_of, lock, notify
from masthead_email.outbox.models import Outbox

IMPORTED = "imported"
"""The id of no database: that of the outbox of an imported export."""
_POSTGRESQL = text(
    "SELECT system_identifier || '/' || (SELECT oid FROM pg_database WHERE datname ="
    " current_database()) FROM pg_control_system()"
)


def begin_run(session: Session, instance: Instance) -> bool:
    """Record a delivery run; return whether sending is allowed."""
    outbox = check_origin(session, instance)
    if outbox.paused:
        return False
    outbox.runs += 1
    return True


def check_origin(session: Session, instance: Instance) -> Outbox:
    """Return the locked state of the outbox; pause it and notify staff if it is a copy's."""
    outbox = _outbox(session, instance)
    if not outbox.paused and not _sent_last(outbox, session, instance):
        outbox.paused = True
        notice = Notice(
            title="E-mail is paused",
            message="The database seems to be a copy: a restored backup, an imported export or a"
            " copied file. Mail that the original has sent since would be sent again. List the"
            " mail with: masthead mail pending. Resume with: masthead mail resume",
            mail="email/mails/copy.txt",
        )
        notify(session, holders("email.write"), notice)
    return outbox


def record_run(session: Session, instance: Instance) -> None:
    """Write the run that ``begin_run`` has committed to the data folder."""
    if instance.database.dialect == "sqlite":
        _write(instance, session.scalars(select(Outbox)).one())


def mark_imported(session: Session) -> None:
    """Make the outbox of an imported export that of a copy."""
    outbox = _outbox(session, instance_of(session))
    outbox.database_id, outbox.runs = IMPORTED, 0


def pause_sending(session: Session, instance: Instance) -> None:
    """Forbid this database to send until it is resumed."""
    _outbox(session, instance).paused = True


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
        # Before the row is committed, so that a second worker that starts now finds the file. A
        # file with runs belongs to a newer copy of this database.
        if instance.database.dialect == "sqlite" and not _recorded_runs(instance):
            _write(instance, outbox)
    return outbox


def _write(instance: Instance, outbox: Outbox) -> None:
    file = _file(instance)
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    new = file.with_suffix(f".{secrets.token_hex(4)}")
    new.touch(mode=0o600)
    new.write_text(f"{outbox.database_id} {outbox.runs} {_inode(instance)}\n", encoding="ascii")
    new.replace(file)


def _database_id(session: Session, instance: Instance) -> str:
    if instance.database.dialect == "postgresql":
        return str(session.execute(_POSTGRESQL).scalar_one())
    return secrets.token_hex(8)


def _sent_last(outbox: Outbox, session: Session, instance: Instance) -> bool:
    if instance.database.dialect == "postgresql":
        return outbox.database_id == _database_id(session, instance)
    database_id, runs, inode = _recorded(instance)
    return (
        database_id == outbox.database_id
        and runs <= outbox.runs
        # Files of older versions have no inode.
        and inode in ("", _inode(instance))
    )


def _recorded(instance: Instance) -> tuple[str, int, str]:
    """Return the id, the runs and the inode in ``mail.place``; blanks if there is no such file."""
    try:
        database_id, runs, *inode = _file(instance).read_text(encoding="ascii").split()
        return database_id, int(runs), inode[0] if inode else ""
    except (OSError, ValueError):
        return "", 0, ""


def _recorded_runs(instance: Instance) -> int:
    return _recorded(instance)[1]


def _inode(instance: Instance) -> str:
    """Return the inode of the database file: a copied file has another one."""
    return str(Path(instance.database.url.database or "").stat().st_ino)


def _file(instance: Instance) -> Path:
    return instance.data / "mail.place"
