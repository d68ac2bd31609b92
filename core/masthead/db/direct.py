"""The connection to PostgreSQL itself, where a pooler is in front of it."""

from __future__ import annotations

from sqlalchemy import URL

from masthead.db.engine import Database
from masthead.db.settings import PREPARED
from masthead.db.url import postgresql_url, read_url
from masthead.errors import StartError
from masthead.settings import Setting, Settings, boolean


def _place(value: str) -> str:
    """Parse ``true``, ``false`` or the URL of a PostgreSQL server.

    :returns: the URL; blank for the one of the database, and ``false`` for none.
    """
    try:
        return "" if boolean(value) else "false"
    except ValueError:
        pass
    try:
        return postgresql_url(value)
    except ValueError as error:
        raise ValueError(f"true, false or {error}") from None


LISTEN = Setting(
    "masthead.database.listen",
    _place,
    "true",
    "Whether each server process on PostgreSQL keeps a connection on which it learns of changes by"
    " other processes at once; otherwise it asks twice a second. Behind a pooler in transaction"
    " mode, give the URL of PostgreSQL itself; with masthead.database.prepared = false, true means"
    " false.",
    secret=True,
)


def listened_url(database: Database, settings: Settings) -> URL | None:
    """Return the URL of the connection for notifications; None if there is none."""
    place = settings[LISTEN]
    if database.dialect != "postgresql" or place == "false":
        return None
    if place:
        return read_url(place)
    return database.url if settings[PREPARED] else None


def direct_url(database: Database, settings: Settings) -> URL:
    """Return the URL for programs that change the settings of their connection.

    A pooler in transaction mode would give that connection to requests afterwards.

    :raises StartError: if the settings name a pooler only.
    """
    place = settings[LISTEN]
    if database.dialect == "sqlite" or (settings[PREPARED] and place in ("", "false")):
        return database.url
    if place not in ("", "false"):
        return read_url(place)
    raise StartError(
        f"pg_dump and pg_restore need PostgreSQL itself, and {PREPARED.name} = false says that"
        f" {database.place} is behind a pooler; set {LISTEN.name} to the URL of PostgreSQL"
    )
