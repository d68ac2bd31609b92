"""The checks of core: database, migrations, writes and the clock of the machine."""

from __future__ import annotations

import errno
import tempfile
from datetime import timedelta
from pathlib import Path

from sqlalchemy import text

from masthead.db import migrate, utcnow
from masthead.db.status import troubles
from masthead.hookspecs import hookimpl
from masthead.instance import Check, Instance

CLOCK_BOUND = timedelta(seconds=60)
"""The difference between the clocks of this machine and of the database that is tolerated."""
AWAY = "the database can't be reached"
_PROBE_BYTES = bytes(256 * 1024)  # more than most transactions add to the log of SQLite
_READING = "; reads go on"
_DISKS = {
    errno.ENOSPC: "its disk is full",
    errno.EDQUOT: "its quota is used up",
    errno.EROFS: "its file system is read-only",
    errno.EACCES: "permission is denied",
    errno.EPERM: "permission is denied",
}


@hookimpl
def masthead_checks() -> list[Check]:
    """Declare the checks of core."""
    return [
        Check("database", database_trouble, remedy="see health in operations.md"),
        Check("migrations", migrations_trouble, remedy="masthead db upgrade"),
        Check(
            "writes",
            writing_trouble,
            needed=False,
            remedy="free space, or mount the file system for writing",
        ),
        Check(
            "clock",
            clock_trouble,
            needed=False,
            remedy="let a time service set the clocks of both machines",
        ),
    ]


def database_trouble(instance: Instance) -> str | None:
    """Query the database, unless an outage is known; an exception counts as trouble."""
    outage = instance.database.outage
    if outage.is_open:
        return f"{AWAY} for {outage.seconds:.0f} s"
    with instance.database.read() as connection:
        connection.execute(text("SELECT 1"))
    return None


def migrations_trouble(instance: Instance) -> str | None:
    """Return a message if tables are older than the code, or a plugin is newer than core."""
    return troubles(migrate.status(instance.database, instance.plugins))


def writing_trouble(instance: Instance) -> str | None:
    """Return a message if the database or the data folder can't be written."""
    database, folders = instance.database, {"the data folder": instance.data.absolute()}
    if database.dialect == "sqlite":
        folder = Path(database.url.database or "").parent
        folders = {"the folder of the database": folder, **folders}
    elif reason := _refusal(instance):
        return f"{reason}{_READING}"
    for name, folder in folders.items():
        if reason := _folder_trouble(folder):
            return f"{name} can't be written: {reason}{_READING}"
    return None


def clock_trouble(instance: Instance) -> str | None:
    """Return a message if the clocks of this machine and of the database differ.

    Content that is scheduled appears by the clock of this machine.
    """
    if instance.database.dialect == "sqlite":
        return None
    with instance.database.read() as connection:
        before = utcnow()
        theirs = connection.execute(text("SELECT clock_timestamp()")).scalar_one()
    ahead = before - theirs
    if abs(ahead) <= CLOCK_BOUND:
        return None
    seconds, side = abs(ahead).total_seconds(), "ahead of" if ahead > timedelta(0) else "behind"
    return f"this machine's clock is {seconds:.0f} s {side} the database's"


def _refusal(instance: Instance) -> str | None:
    asked = text("SELECT pg_is_in_recovery(), current_setting('default_transaction_read_only')")
    with instance.database.read() as connection:
        standby, read_only = connection.execute(asked).one()
    if standby:
        return "the database is a standby, which can't be written"
    if read_only == "on":
        return "the database is set to read-only"
    refused = instance.database.refused_writes.recent()
    return f"the database refused to write: {refused}" if refused else None


def _folder_trouble(folder: Path) -> str | None:
    """Write a file without a name, and return why that fails; a missing folder is no trouble."""
    try:
        with tempfile.TemporaryFile(dir=folder, buffering=0) as file:
            file.write(_PROBE_BYTES)
    except FileNotFoundError:
        return None
    except OSError as error:
        return _DISKS.get(error.errno or 0, (error.strerror or "unknown error").lower())
    return None
