"""The URL of the database, as deployers write it."""

from __future__ import annotations

import re
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
_OF_DRIVER = frozenset(
    {"autocommit", "prepare_threshold", "context", "row_factory", "cursor_factory"}
)
"""Options that the driver takes besides those of libpq; their values are no text."""
_SEVERAL_HOSTS = re.compile(r"(postgres[^:]*://(?:[^/?]*@)?)([^/?@]*,[^/?@]*)([/?].*)?")
_HOST = re.compile(r"\[?([^:\]]+|(?<=\[)[^\]]+)\]?(?::(\d+))?")
_PORT = "5432"


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

    Several hosts of PostgreSQL are in its query, as SQLAlchemy expects them.

    :raises StartError: if it can't be read, or names another kind of database.
    """
    try:
        url = _read(text)
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
    if unusable := sorted(_OF_DRIVER & url.query.keys()):
        raise StartError(
            f"The database URL can't have {', '.join(unusable)}; for a pooler in transaction mode,"
            " set masthead.database.prepared = false"
        )
    url = url.set(drivername=_DRIVERS[url.drivername])
    if url.drivername == "sqlite":
        # After two slashes, the first part of a path is a host.
        file = "" if url.host else url.database
        if not file or file == ":memory:" or file.startswith("file:"):
            raise StartError("The database URL must name a file, as sqlite:///folder/file does")
        # A later change of the working directory must not lead to another database.
        url = url.set(database=str(Path(file).absolute()))
    return url


def place_of(url: URL) -> str:
    """Return a URL without the password and without connection options other than hosts."""
    scheme = url.drivername.partition("+")[0]
    hosts, ports = (_values(url, name) for name in ("host", "port"))
    if url.host is None and len(hosts) > 1 and len(hosts) == len(ports):
        user = f"{url.username}@" if url.username else ""
        named = ",".join(f"{host}:{port}" for host, port in zip(hosts, ports, strict=True))
        return f"{scheme}://{user}{named}/{url.database or ''}"
    shown = URL.create(scheme, url.username, host=url.host, port=url.port, database=url.database)
    return shown.render_as_string()


def _read(text: str) -> URL:
    several = _SEVERAL_HOSTS.fullmatch(text)
    if several is None:
        return make_url(text)
    before, named, after = several.groups(default="")
    found = [_HOST.fullmatch(each) for each in named.split(",")]
    pairs = [each.groups(default=_PORT) for each in found if each is not None]
    if len(pairs) < len(found):
        raise ValueError(named)
    hosts, ports = (",".join(values) for values in zip(*pairs, strict=True))
    return make_url(before + after).update_query_dict({"host": hosts, "port": ports})


def _values(url: URL, name: str) -> list[str]:
    value = url.query.get(name, "")
    return value.split(",") if isinstance(value, str) else list(value)
