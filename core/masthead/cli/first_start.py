"""What an instance needs before it can serve: tables, secrets, grants and the first admin."""

from __future__ import annotations

import fcntl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import text

from masthead.auth.setup import first_admin, make_secrets, sync_grants
from masthead.db import migrate
from masthead.errors import StartError
from masthead.instance import DATA, Instance

__all__ = ["prepare"]

# Any number that nothing else on the server locks; migrations have their own.
_ADVISORY_LOCK = int.from_bytes(b"mh.start")


def prepare(
    instance: Instance, announce_admin: Callable[[str, str], None] | None = None
) -> list[str]:
    """Migrate, make the secrets, grant what is new; what has been done before stays as it is.

    :param announce_admin: tells somebody the name and password of the first admin, who is made
        only where this is given; where it raises, no admin has been made.
    :return: the names of the plugins whose tables were migrated.
    :raises StartError: with one line that says what can't work.
    """
    database = instance.database
    with _alone(instance):
        migrated = migrate.pending(database, instance.plugins)
        migrate.upgrade(database, instance.plugins)
        make_secrets(instance)
        with database.transaction() as session:
            sync_grants(session, instance)
            made = first_admin(session) if announce_admin else None
            if announce_admin and made:
                announce_admin(*made)
    return migrated


@contextmanager
def _alone(instance: Instance) -> Iterator[None]:
    """Wait until no other process prepares the same instance."""
    if instance.database.dialect == "postgresql":
        # A lock of the transaction, for one of the session doesn't survive a pooler.
        with instance.database.engine.begin() as connection:
            connection.execute(text("SELECT pg_advisory_xact_lock(:n)"), {"n": _ADVISORY_LOCK})
            yield
        return
    folder = Path(instance.settings[DATA])
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / "start.lock").open("w")
    except OSError as error:
        raise StartError(f"the data folder {folder} can't be used: {error.strerror}") from error
    with lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
