"""The restore guard: pauses sending from a database that is a copy, or an earlier state of itself.

The original, or this machine, may have sent the same mail meanwhile. On PostgreSQL a copy by a dump
has another identifier. A base backup, a snapshot and a replica keep it, so ``mail.mark`` in the
data folder of each worker records what was handed over (``marks``). On SQLite a copy is an equal
file, so the file ``mail.place`` in the data folder records the database's id, its number of
delivery runs and the inode of its file. An imported export counts as a copy.
"""

from __future__ import annotations

import logging
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import select, text, update
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from masthead import Instance, Notice, holders, instance_of, lock, notify, utcnow
from masthead_email.outbox.marks import Mark, mark_file
from masthead_email.outbox.models import Handover, Outbox

logger = logging.getLogger(__name__)

COPIED = "imported"
"""The id of no database: that of the outbox of an imported export or a restored backup."""
COPY = "the database seems to be a copy: a restored backup, an imported export or a copied file"
_POSTGRESQL = text(
    "SELECT system_identifier || '/' || (SELECT oid FROM pg_database WHERE datname ="
    " current_database()) FROM pg_control_system()"
)
# The names of the log's files begin with the timeline. pg_control_checkpoint() knows only that of
# the last checkpoint, which is older after a promotion. A crash may lose what isn't flushed.
_POSITION = text(
    "SELECT substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8) AS timeline,"
    " pg_current_wal_insert_lsn() - '0/0' AS inserted,"
    " pg_current_wal_flush_lsn() - '0/0' AS flushed"
)


class _Place(NamedTuple):
    """The content of the file ``mail.place``."""

    database_id: str
    runs: int
    inode: str


@dataclass(frozen=True)
class Position:
    """The end of PostgreSQL's log; zeros if the server doesn't tell it."""

    timeline: int = 0
    inserted: int = 0
    flushed: int = 0


def begin_run(session: Session, instance: Instance) -> bool:
    """Record a delivery run; return whether sending is allowed."""
    outbox = check_origin(session, instance)
    if outbox.paused:
        return False
    outbox.runs += 1
    return True


def check_origin(session: Session, instance: Instance) -> Outbox:
    """Return the locked state of the outbox; pause it and notify staff if it is a copy's."""
    # The file precedes the first statement, because other processes advance both.
    doubt = _read_mark(instance)
    outbox = _outbox(session, instance)
    if not outbox.paused:
        reason = _reason(outbox, session, instance, doubt)
        if reason is not None:
            _pause(session, outbox, reason)
            if isinstance(doubt, str):
                mark_file(instance).discard()
        elif instance.database.dialect == "postgresql":
            _count_from(session, instance, doubt if isinstance(doubt, Mark) else None)
    return outbox


def pause_reason(instance: Instance) -> str | None:
    """Return why the next worker will pause the sending; None if it won't, or it is paused."""
    # The files precede the first statement, because workers advance both.
    mark, place = _read_mark(instance), _recorded(instance)
    with instance.database.session(read_only=True) as session:
        outbox = session.get(Outbox, 1)
        if outbox is None or outbox.paused:
            return None
        return _reason(outbox, session, instance, mark, place)


def pause_set_back(session: Session, instance: Instance, reason: str) -> None:
    """Pause sending from a database that another one has replaced during a run."""
    outbox = _outbox(session, instance)
    if not outbox.paused:
        _pause(session, outbox, reason)


def record_run(session: Session, instance: Instance) -> None:
    """Write the run that ``begin_run`` has committed to the data folder."""
    record_place(session, instance)
    if instance.database.dialect == "postgresql":
        outbox = session.scalars(select(Outbox)).one()
        file, position = mark_file(instance), _position(session)
        count = session.scalar(select(Handover.count).where(Handover.folder == file.folder))
        values = (outbox.epoch, count or 0, outbox.runs, position.timeline, position.flushed)
        file.store(Mark(file.folder, *values))


def record_place(session: Session, instance: Instance) -> None:
    """Write the place of a SQLite database to the data folder; a resumption needs it too."""
    if instance.database.dialect == "sqlite":
        _write(instance, session.scalars(select(Outbox)).one())


def mark_copied(session: Session) -> None:
    """Make the outbox of an imported export or a restored backup that of a copy."""
    outbox = _outbox(session, instance_of(session))
    outbox.database_id, outbox.runs = COPIED, 0


def pause_sending(session: Session, instance: Instance) -> None:
    """Forbid this database to send until it is resumed."""
    outbox = _outbox(session, instance)
    if not outbox.paused:
        outbox.paused, outbox.reason = True, None


def resume_sending(session: Session, instance: Instance) -> bool:
    """Allow this database to send; return whether sending was paused."""
    mark = _read_mark(instance)
    outbox = _outbox(session, instance)
    paused = outbox.paused or _reason(outbox, session, instance, mark) is not None
    outbox.paused, outbox.reason = False, None
    # The time, so that it is later than an epoch that a restore has lost.
    outbox.epoch = max(outbox.epoch + 1, round(utcnow().timestamp() * 1_000_000))
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
        if instance.database.dialect == "sqlite" and not _recorded(instance).runs:
            _write(instance, outbox)
    return outbox


def _pause(session: Session, outbox: Outbox, reason: str) -> None:
    outbox.paused, outbox.reason = True, reason
    logger.warning("E-mail is paused: %s", reason)
    copied = reason == COPY
    what = (
        "The database seems to be a copy: a restored backup, an imported export or a copied file."
        " Mail that the original has sent since would be sent again."
        if copied
        else f"Mail that was sent would be sent again, because {reason}."
    )
    notice = Notice(
        title="E-mail is paused",
        message=f"{what} List the mail with: masthead mail pending. Resume with: masthead mail"
        " resume",
        mail="email/mails/copy.txt",
        mail_values={"copied": copied},
    )
    notify(session, holders("email.write"), notice)


def _read_mark(instance: Instance) -> Mark | str | None:
    """Return the mark of the data folder, or why it can't be understood."""
    if instance.database.dialect == "sqlite":
        return None
    try:
        return mark_file(instance).read()
    except ValueError:
        return "the file mail.mark in the data folder, which records the mail sent, is damaged"


def _reason(
    outbox: Outbox,
    session: Session,
    instance: Instance,
    mark: Mark | str | None,
    place: _Place | None = None,
) -> str | None:
    """Return why mail may have been sent that the database doesn't know of.

    :param place: the place of a SQLite database; by default that of now, which is right only while
        the outbox is locked.
    """
    if not _sent_last(outbox, session, instance, place or _recorded(instance)):
        return COPY
    if mark is None or isinstance(mark, str):
        return mark
    known = session.scalar(select(Handover.count).where(Handover.folder == mark.folder)) or 0
    return _set_back(mark, outbox, known, _position(session))


def _set_back(mark: Mark, outbox: Outbox, known: int, position: Position) -> str | None:
    """Return how the mark shows that the database is an earlier state of itself."""
    if mark.epoch < outbox.epoch:
        return None
    # A promoted replica has another timeline: only the counts tell whether it lacks something.
    promoted = bool(mark.timeline) and position.timeline > mark.timeline
    lacking = _lacking(mark, outbox, known) or ("" if promoted else _log_lacks(mark, position))
    if not lacking:
        return None
    how = (
        f"its timeline has changed from {mark.timeline} to {position.timeline}: it was recovered to"
        " an earlier time, or a replica without the last changes has replaced it"
        if promoted
        else "it was restored from a base backup, a snapshot or a copy of its files, or it has lost"
        " changes in a crash"
    )
    return f"the database lacks {lacking}; {how}"


def _lacking(mark: Mark, outbox: Outbox, known: int) -> str:
    """Return what the counts of the database lack."""
    if mark.epoch > outbox.epoch:
        return "the last resumption of mail"
    if known < mark.count:
        return f"{mark.count - known} of {mark.count} hand-overs of mail from this machine"
    if outbox.runs < mark.runs:
        return f"{mark.runs - outbox.runs} of {mark.runs} delivery runs"
    return ""


def _log_lacks(mark: Mark, position: Position) -> str:
    """Return what the log of the database lacks: it only grows on one timeline."""
    if not mark.timeline or not position.timeline:
        return ""
    if position.timeline < mark.timeline:
        return f"its timeline {mark.timeline}"
    lost = mark.position - position.inserted
    return f"the last {lost} bytes of its log" if lost > 0 else ""


def _count_from(session: Session, instance: Instance, mark: Mark | None) -> None:
    """Make the row that counts the hand-overs from the data folder; it is never behind the file."""
    file = mark_file(instance)
    file.folder = mark.folder if mark else file.folder or secrets.token_hex(8)
    least = mark.count if mark else 0
    found = session.get(Handover, file.folder)
    if found is None:
        session.add(Handover(folder=file.folder, count=least))
    elif found.count < least:
        # Not by the object: another process may count meanwhile.
        behind = update(Handover).where(Handover.folder == file.folder, Handover.count < least)
        session.execute(behind.values(count=least))


def _position(session: Session) -> Position:
    try:
        with session.begin_nested():
            row = session.execute(_POSITION).one()
    except DBAPIError:
        # Some services that speak PostgreSQL's protocol have another log.
        return Position()
    return Position(int(row.timeline, 16), int(row.inserted), int(row.flushed))


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


def _sent_last(outbox: Outbox, session: Session, instance: Instance, place: _Place) -> bool:
    if instance.database.dialect == "postgresql":
        return outbox.database_id == _database_id(session, instance)
    return (
        place.database_id == outbox.database_id
        and place.runs <= outbox.runs
        # Files of older versions have no inode.
        and place.inode in ("", _inode(instance))
    )


def _recorded(instance: Instance) -> _Place:
    """Return the content of ``mail.place``; blanks if there is no such file."""
    try:
        database_id, runs, *inode = _file(instance).read_text(encoding="ascii").split()
        return _Place(database_id, int(runs), inode[0] if inode else "")
    except (OSError, ValueError):
        return _Place("", 0, "")


def _inode(instance: Instance) -> str:
    """Return the inode of the database file: a copied file has another one."""
    return str(Path(instance.database.url.database or "").stat().st_ino)


def _file(instance: Instance) -> Path:
    return instance.data / "mail.place"
