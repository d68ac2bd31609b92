"""Dumps of a PostgreSQL database by its own programs ``pg_dump`` and ``pg_restore``."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, cast

from sqlalchemy import URL, inspect, text
from sqlalchemy.orm import Session

from masthead.backup.archive import CHUNK
from masthead.backup.models import BackupState
from masthead.db import Database
from masthead.errors import StartError

_VERSION = re.compile(r"\(PostgreSQL\) (\d+)")
_DEBIAN = Path("/usr/lib/postgresql")


def hold_snapshot(session: Session) -> str:
    """Let a session read one snapshot, and return the name by which ``pg_dump`` uses it.

    The snapshot exists until the session's transaction ends.
    """
    session.execute(text("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ"))
    session.execute(text("SET LOCAL idle_in_transaction_session_timeout = 0"))
    return str(session.scalar(text("SELECT pg_export_snapshot()")))


def server_version(database: Database) -> int:
    """Return the major version of the server."""
    with database.read() as connection:
        return int(connection.execute(text("SHOW server_version_num")).scalar_one()) // 10_000


def size(database: Database) -> int:
    """Return the number of bytes of the database."""
    with database.read() as connection:
        found = connection.execute(text("SELECT pg_database_size(current_database())"))
        return int(found.scalar_one())


def occupied(database: Database) -> str | None:
    """Return a table that exists already; None if the database is empty."""
    with database.read() as connection:
        names = inspect(connection).get_table_names()
    return f"the table {sorted(names)[0]}" if names else None


def dump(url: URL, version: int, snapshot: str) -> Iterator[bytes]:
    """Yield the dump of a snapshot.

    :param url: of PostgreSQL itself.
    :param version: the major version of the server.
    :raises StartError: if there is no suitable program, or if it fails.
    """
    environ = _environ(url)
    # The password isn't an argument, because all users of the machine see those.
    command = [
        find_program("pg_dump", version, environ),
        "--format=custom",
        "--compress=1",
        "--no-password",
        "--lock-wait-timeout=60s",
        f"--exclude-table-data=*.{BackupState.__tablename__}",
        f"--snapshot={snapshot}",
    ]
    with _running(command, environ, stdout=subprocess.PIPE) as process:
        output = cast("IO[bytes]", process.stdout)
        while chunk := output.read(CHUNK):
            yield chunk


def load(database: Database, url: URL, version: int, chunks: Iterable[bytes]) -> None:
    """Fill the empty database from a dump, in one transaction.

    :param url: of PostgreSQL itself.
    :raises StartError: if there is no suitable program, or if it fails; nothing is stored then.
    """
    options = ["--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges"]
    target = f"--dbname={_arguments(url)['dbname']}"
    _feed(url, version, ["--no-password", *options, target], chunks)
    with database.read() as connection:
        # A dump has no statistics, without which queries are slow.
        connection.exec_driver_sql("ANALYZE")


def verify(database: Database, version: int, chunks: Iterable[bytes]) -> None:
    """Let ``pg_restore`` read a whole dump.

    :raises StartError: if it can't.
    """
    _feed(database.url, version, [f"--file={os.devnull}"], chunks)


def find_program(name: str, version: int, environ: Mapping[str, str]) -> str:
    """Return the path of a program of PostgreSQL that is at least as new as the server.

    :raises StartError: if there is none.
    """
    on_path = shutil.which(name)
    others = [str(_DEBIAN / str(newer) / "bin" / name) for newer in range(version, version + 10)]
    newest = 0
    for each in [*([on_path] if on_path else []), *filter(os.path.exists, others)]:
        shown = subprocess.run([each, "--version"], env=environ, capture_output=True, check=False)
        found = _VERSION.search(shown.stdout.decode(errors="replace"))
        newest = max(newest, int(found[1]) if found else 0)
        if newest >= version:
            return each
    why = f"is of version {newest}, older than the server" if newest else "isn't on PATH"
    raise StartError(
        f"{name} {why}; install the client programs of PostgreSQL {version}, on Debian the package"
        f" postgresql-client-{version}"
    )


def _feed(url: URL, version: int, options: list[str], chunks: Iterable[bytes]) -> None:
    environ = _environ(url)
    command = [find_program("pg_restore", version, environ), *options]
    with _running(command, environ, stdin=subprocess.PIPE) as process:
        stdin = cast("IO[bytes]", process.stdin)
        # If the program has failed, its message says why.
        with suppress(BrokenPipeError):
            # Its end would let the program commit, so it isn't closed if the block raises.
            for chunk in chunks:
                stdin.write(chunk)
            stdin.close()


@contextmanager
def _running(
    command: list[str], environ: Mapping[str, str], **pipes: int
) -> Iterator[subprocess.Popen[bytes]]:
    """Run a program; end it if the block raises.

    :raises StartError: with its last message, if it fails.
    """
    name = Path(command[0]).name
    with tempfile.TemporaryFile() as messages:
        process: subprocess.Popen[bytes] = subprocess.Popen(
            command, env=environ, stderr=messages, **cast("Any", pipes)
        )
        try:
            yield process
        except BaseException:
            process.kill()
            raise
        finally:
            process.wait()
            for pipe in filter(None, (process.stdin, process.stdout)):
                with suppress(BrokenPipeError):
                    pipe.close()
        if process.returncode:
            messages.seek(0)
            lines = messages.read().decode(errors="replace").strip().splitlines()
            first = next((line for line in lines if "error:" in line), (lines or ["no message"])[0])
            raise StartError(f"{name} failed with status {process.returncode}: {first}")


def _environ(url: URL) -> dict[str, str]:
    """Return the environment in which PostgreSQL's programs connect to the database."""
    from psycopg.pq import Conninfo

    given = _arguments(url)
    variables = {
        option.keyword.decode(): option.envvar.decode()
        for option in Conninfo.get_defaults()
        if option.envvar
    }
    return {
        **os.environ,
        **{variables[name]: str(value) for name, value in given.items() if name in variables},
    }


def _arguments(url: URL) -> Mapping[str, Any]:
    arguments: Mapping[str, Any] = url.get_dialect()().create_connect_args(url)[1]
    return arguments
