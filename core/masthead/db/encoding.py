"""The encoding of a PostgreSQL database, which has to store every text."""

from __future__ import annotations

from sqlalchemy import text

from masthead.db.engine import Database

REMEDY = "createdb --encoding UTF8 --template template0, and move the data there"


def encoding_trouble(database: Database) -> str | None:
    """Return an encoding that can't store every text."""
    if database.dialect == "sqlite":
        return None
    with database.read() as connection:
        encoding = connection.execute(text("SHOW server_encoding")).scalar_one()
    return None if encoding == "UTF8" else f"the encoding of the database is {encoding}, not UTF8"
