"""The check that the database and the data folder can be written."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import text

from masthead.checking.folders import disk_trouble
from masthead.instance import Instance

_READING = "; reads go on"


def writing_trouble(instance: Instance) -> str | None:
    """Return a message if the database or the data folder can't be written."""
    folder = instance.data.absolute()
    return database_writing_trouble(instance) or _folder_trouble("the data folder", folder)


def database_writing_trouble(instance: Instance) -> str | None:
    """Return a message if the database can't be written."""
    database = instance.database
    if database.dialect == "sqlite":
        folder = Path(database.url.database or "").parent
        return _folder_trouble("the folder of the database", folder)
    reason = _refusal(instance)
    return f"{reason}{_READING}" if reason else None


def _refusal(instance: Instance) -> str | None:
    asked = text("SELECT pg_is_in_recovery(), current_setting('default_transaction_read_only')")
    with instance.database.read() as connection:
        standby, read_only = connection.execute(asked).one()
    if standby:
        return "the database is a standby, which can't be written"
    if read_only == "on":
        return "the database is set to read-only"
    refused = instance.database.refused_writes.recent()
    return f"the database refused to write: {refused}" if refused else None


def _folder_trouble(name: str, folder: Path) -> str | None:
    reason = disk_trouble(folder)
    return f"{name} can't be written: {reason}{_READING}" if reason else None
