"""The URL of the database, as deployers write it."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from masthead.errors import StartError

_DRIVERS = {
    "sqlite": "sqlite",
    "sqlite+pysqlite": "sqlite",
    "postgres": "postgresql+psycopg",
    "postgresql": "postgresql+psycopg",
    "postgresql+psycopg": "postgresql+psycopg",
}
_UNREADABLE = (
    "The database URL can't be read; it should look like sqlite:///folder/file or"
    " postgresql://user:password@host/name, in whose user and password @ is written as %40, : as"
    " %3A, / as %2F and % as %25"
)


def postgresql_url(value: str) -> str:
    """Parse the URL of a PostgreSQL server in a setting.

    :returns: the URL with the driver.
    :raises ValueError: for another one.
    """
    try:
        url = read_url(value.strip())
    except StartError:
        url = None
    if url is None or not url.drivername.startswith("postgresql"):
        raise ValueError("postgresql://user:password@host/name")
    return url.render_as_string(hide_password=False)


def read_url(text: str) -> URL:
    """Return a URL with the driver, and with an absolute path for SQLite.

    :raises StartError: if it can't be read, or names another kind of database.
    """
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        # The exception may quote the password.
        raise StartError(_UNREADABLE) from None
    if "@" in (url.host or ""):
        raise StartError(_UNREADABLE)
    if url.drivername not in _DRIVERS:
        raise StartError(
            f"The database URL starts with {url.drivername}://; only sqlite:// and"
            " postgresql:// are known"
        )
    url = url.set(drivername=_DRIVERS[url.drivername])
    if url.drivername == "sqlite":
        if not url.database or url.database == ":memory:" or url.database.startswith("file:"):
            raise StartError("The database URL must name a file, as sqlite:///folder/file does")
        # A later change of the working directory must not lead to another database.
        url = url.set(database=str(Path(url.database).absolute()))
    return url
