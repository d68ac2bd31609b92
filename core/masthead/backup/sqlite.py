"""Copies of a SQLite database, made while others write to it."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy.orm import Session

from masthead.backup.archive import CHUNK
from masthead.db import Database
from masthead.errors import StartError
from masthead.transfer.folder import ReportProgress, open_new

_PAGES = 2048
"""The number of pages that are copied at a time."""


def dump(
    session: Session, database: Database, copy: Path, report: ReportProgress
) -> Iterator[bytes]:
    """Yield a copy of the state that a session reads; writers don't wait meanwhile.

    :param session: a session in whose transaction something was read; the transaction ends.
    :param copy: the path of a temporary file.
    :raises StartError: if the database is damaged.
    """

    def progress(_status: int, left: int, total: int) -> None:
        report("database", total - left, total)

    source: Any = session.connection().connection.dbapi_connection
    with _opened(database, copy) as target:
        # The session's transaction keeps its snapshot between the steps.
        source.backup(target, pages=_PAGES, progress=progress)
        session.rollback()
        # Makes it a single file.
        target.execute("PRAGMA journal_mode=DELETE").fetchone()
        _check(target)
        target.execute("DELETE FROM core_backup")
    with copy.open("rb") as file:
        while chunk := file.read(CHUNK):
            yield chunk
    copy.unlink()


def occupied(database: Database) -> str | None:
    """Return which file of a database exists already; None if the place is empty."""
    path = str(database.url.database)
    # SQLite would add a log that is left over to the restored file.
    found = [f"{path}{end}" for end in ("", "-wal", "-shm", "-journal")]
    return next((each for each in found if os.path.lexists(each)), None)


def load(database: Database, chunks: Iterable[bytes]) -> None:
    """Make the database from a copy; its file appears complete and at once.

    :raises StartError: if the copy is damaged, or the file exists meanwhile.
    """
    path = Path(str(database.url.database))
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    for left in path.parent.glob(f".{path.name}.*.restoring"):
        left.unlink(missing_ok=True)
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}.restoring")
    try:
        with open_new(draft) as file:
            for chunk in chunks:
                file.write(chunk)
            file.flush()
            os.fsync(file.fileno())
        with _opened(database, draft) as copy:
            _check(copy)
        publish(draft, path)
    finally:
        draft.unlink(missing_ok=True)


def publish(draft: Path, path: Path) -> None:
    """Give a complete file its name, durably, unless there is a file of this name.

    :raises StartError: if there is one.
    """
    try:
        os.link(draft, path)
    except FileExistsError:
        raise StartError(f"{path} exists already") from None
    except OSError:
        # The file system has no hard links.
        if os.path.lexists(path):
            raise StartError(f"{path} exists already") from None
        draft.rename(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


@contextmanager
def _opened(database: Database, copy: Path) -> Iterator[Any]:
    """Open a copy.

    :raises StartError: for an error of SQLite in the block, such as that of a full disk.
    """
    driver: Any = database.engine.dialect.loaded_dbapi
    try:
        with closing(driver.connect(str(copy), isolation_level=None)) as connection:
            yield connection
    except driver.Error as error:
        raise StartError(f"the database can't be copied: {error}") from error


def _check(copy: Any) -> None:
    found = copy.execute("PRAGMA integrity_check(1)").fetchone()[0]
    if found != "ok":
        raise StartError(f"the database is damaged: {' '.join(found.split())}")
