"""The file of a SQLite database: private to its owner, and made by the start only.

SQLite makes a missing file when it connects. If the file of a running server is moved away, the
server would continue with an empty database, so connections open existing files only. An empty file
isn't taken for a new database either, because a failed copy leaves one.
"""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from types import ModuleType
from typing import Any


class SQLiteFile:
    """The file of a database, and how connections open it.

    :param driver: the module of SQLite's driver.
    """

    def __init__(self, path: Path, driver: ModuleType) -> None:
        self._path = path
        self._driver = driver
        self.may_create = True
        """Whether a connection creates the file if it is missing: not after the first one."""

    def prepare(
        self, _dialect: Any, _record: Any, arguments: list[Any], options: dict[str, Any]
    ) -> None:
        """Change the arguments of a connection so that it opens the existing file.

        :raises OSError: if the file can't be created.
        """
        if self.may_create and not self._path.exists():
            self._create()
        self.may_create = False
        if self._path.exists() and self._path.stat().st_size == 0:
            error = self._driver.OperationalError(
                f"{self._path} has 0 bytes; restore a backup, or delete the file to begin anew"
            )
            error.sqlite_errorcode = self._driver.SQLITE_CANTOPEN
            raise error
        arguments[0] = f"{self._path.as_uri()}?mode=rw"
        options["uri"] = True

    def _create(self) -> None:
        """Create the file with a header, atomically, because other processes may do the same."""
        # The folder contains password hashes and personal data.
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        new = self._path.with_name(f".{self._path.name}.{secrets.token_hex(8)}")
        # SQLite gives its further files the mode of this one.
        os.close(os.open(new, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        try:
            connection = self._driver.connect(str(new))
            # Writes the header, without which the file has no bytes.
            connection.execute("PRAGMA journal_mode=WAL").close()
            connection.close()
            self._move(new)
        finally:
            new.unlink(missing_ok=True)

    def _move(self, new: Path) -> None:
        """Give the new file its name, unless another process was faster."""
        try:
            os.link(new, self._path)
        except FileExistsError:
            return
        except OSError:
            # The file system has no hard links.
            if not self._path.exists():
                new.rename(self._path)
