"""Resetting a PostgreSQL database to a snapshot, several times faster than copying its template."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

# Creating, altering or dropping an object changes the number of rows or the last change here.
_CATALOGS = ("pg_class", "pg_attribute", "pg_constraint", "pg_index", "pg_proc", "pg_trigger")
_FINGERPRINT = "SELECT concat_ws(' ', {})".format(
    ", ".join(f"(SELECT (count(*), max(xmin::text::bigint)) FROM {each})" for each in _CATALOGS)
)
_TABLES = "SELECT quote_ident(tablename) FROM pg_tables WHERE schemaname = 'public'"
_SEQUENCES = (
    "SELECT format('setval(%L, %s, %L)', quote_ident(sequencename), coalesce(last_value, 1),"
    " last_value IS NOT NULL) FROM pg_sequences WHERE schemaname = 'public'"
)
_TERMINATE_OTHERS = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
)


@dataclass(frozen=True)
class Snapshot:
    """The contents of a template."""

    fingerprint: str
    """The state of the system catalogs, to detect changes of the schema."""
    reset: str
    """The statements that delete all rows and reset the sequences."""
    rows: dict[str, bytes]
    """The rows of each non-empty table, in the format of ``COPY``."""


def take_snapshot(url: str) -> Snapshot:
    """Read the contents of a template database."""
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        tables = _first_column(connection, _TABLES)
        sequences = _first_column(connection, _SEQUENCES)
        rows = {table: _copied(connection, table) for table in tables}
        return Snapshot(
            fingerprint=_first_column(connection, _FINGERPRINT)[0],
            reset=";".join(
                # This role skips the checks of foreign keys.
                ["SET session_replication_role = replica", "SET lock_timeout = '20s'"]
                + [f"DELETE FROM {table}" for table in tables]
                + ([f"SELECT {', '.join(sequences)}"] if sequences else [])
            ),
            rows={table: content for table, content in rows.items() if content},
        )


def restore(url: str, snapshot: Snapshot) -> bool:
    """Reset a copy of a template to its snapshot, and terminate all other connections to it.

    :returns: False if its schema was changed, so that it can't be reset.
    """
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(_TERMINATE_OTHERS)
        if _first_column(connection, _FINGERPRINT) != [snapshot.fingerprint]:
            return False
        # Without parameters the server accepts several statements at once.
        connection.execute(snapshot.reset.encode())
        for table, content in snapshot.rows.items():
            with connection.cursor().copy(f"COPY {table} FROM STDIN".encode()) as copy:
                copy.write(content)
    return True


def _copied(connection: Any, table: str) -> bytes:
    with connection.cursor().copy(f"COPY {table} TO STDOUT".encode()) as copy:
        return b"".join(map(bytes, copy))


def _first_column(connection: Any, query: str) -> list[str]:
    return [row[0] for row in connection.execute(query.encode()).fetchall()]
