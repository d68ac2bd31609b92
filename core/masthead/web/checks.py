"""The checks of core: database, migrations, writes and the clock of the machine."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import text

from masthead.checking.writing import writing_trouble
from masthead.db import migrate, utcnow
from masthead.db.status import troubles
from masthead.hookspecs import hookimpl
from masthead.instance import Check, Instance

CLOCK_BOUND = timedelta(seconds=60)
"""The difference between the clocks of this machine and of the database that is tolerated."""
AWAY = "the database can't be reached"


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
