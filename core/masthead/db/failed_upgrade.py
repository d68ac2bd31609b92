"""The message of an upgrade that fails: plugin, revision, statement and state of the tables."""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from masthead.db.engine import Database
from masthead.db.history import file_names, versions_of
from masthead.db.status import State, states
from masthead.db.waits import is_unavailable
from masthead.errors import StartError
from masthead.faults import describe

if TYPE_CHECKING:
    from masthead.plugins import Plugin

_MAX_STATEMENT = 200


def failed_upgrade(
    database: Database, plugin: Plugin, error: Exception, waiting: Sequence[State]
) -> Exception:
    """Return the error to raise for the failed upgrade of a plugin's tables.

    :param error: the exception.
    :param waiting: the states of plugins whose tables would have been migrated afterwards.
    :returns: the same exception if it has a text for the deployer, or the database can't serve now.
    """
    if isinstance(error, StartError) or is_unavailable(error):
        return error
    parts = [f"the migration of {plugin.name} failed{_where(plugin, error)}: {_words(error)}"]
    parts.append(_state_now(database, plugin))
    if names := [each.plugin for each in waiting if each.is_behind]:
        parts.append(f"not migrated yet: {', '.join(names)}")
    return StartError("; ".join([*parts, "correct it, and run masthead db upgrade again"]))


def _where(plugin: Plugin, error: Exception) -> str:
    """Return the revision that ran, and the place in its file."""
    folder = versions_of(plugin)
    frames = [
        (Path(frame.f_code.co_filename), line)
        for frame, line in traceback.walk_tb(error.__traceback__)
    ]
    own = [(file, line) for file, line in frames if file.parent == folder]
    if not own:
        return ""
    file, line = own[-1]
    names = {name: revision for revision, name in file_names(plugin).items()}
    package = str(plugin.migrations).replace(".", "/")
    revision = f" in revision {names[file.name]}" if file.name in names else ""
    return f"{revision} ({package}/versions/{file.name}:{line})"


def _words(error: Exception) -> str:
    """Return the message of the driver and the statement."""
    if not isinstance(error, DBAPIError) or error.orig is None:
        return describe(error)
    statement = " ".join((error.statement or "").split())
    if len(statement) > _MAX_STATEMENT:
        statement = f"{statement[:_MAX_STATEMENT]} …"
    return describe(error.orig) + (f", in {statement}" if statement else "")


def _state_now(database: Database, plugin: Plugin) -> str:
    try:
        with database.read() as connection:
            [now] = states(connection, [plugin])
    except SQLAlchemyError:
        return "it was rolled back"
    kept = f"stay at revision {now.revision}" if now.revision else "don't exist yet"
    return f"it was rolled back, so the tables of {plugin.name} {kept}"
