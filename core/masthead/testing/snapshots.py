"""Resetting a PostgreSQL database to a snapshot, several times faster than copying its template."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

# Creating, altering or dropping an object changes the number of rows or the last change here.
_CATALOGS = {
    "pg_class": "oid",
    "pg_attribute": "attrelid",
    "pg_constraint": "oid",
    "pg_index": "indexrelid",
    "pg_proc": "oid",
    "pg_trigger": "oid",
}
# Lower numbers are PostgreSQL's own objects.
_FINGERPRINT = "SELECT concat_ws(' ', {})".format(
    ", ".join(
        f"(SELECT (count(*), max(xmin::text::bigint)) FROM {catalog} WHERE {number} >= 16384)"
        for catalog, number in _CATALOGS.items()
    )
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
    reset: bytes
    """The statements that replace all rows and reset the sequences, sent in one round trip."""


def take_snapshot(url: str) -> Snapshot:
    """Read the contents of a template database."""
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        tables = _first_column(connection, _TABLES)
        sequences = _first_column(connection, _SEQUENCES)
        statements = [
            # This role skips the checks of foreign keys.
            "SET session_replication_role = replica",
            "SET lock_timeout = '20s'",
            *(f"DELETE FROM {table}" for table in tables),
            *(each for table in tables for each in _first_column(connection, _insert(table))),
            *([f"SELECT {', '.join(sequences)}"] if sequences else []),
        ]
        return Snapshot(
            fingerprint=_first_column(connection, _FINGERPRINT)[0],
            reset=";".join(statements).encode(),
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
        connection.execute(snapshot.reset)
    return True


def _insert(table: str) -> str:
    """Return a query for the statement that inserts the rows of a table; no row if it is empty.

    It writes each row as a text, because the text of a row is exact for all types.
    """
    return f"""
        SELECT format(
            'INSERT INTO {table} (%s) OVERRIDING SYSTEM VALUE SELECT %s FROM unnest(%L::text[]) r',
            columns.names, columns.reads, rows.texts
        )
        FROM (
            SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) AS names,
                string_agg(
                    format('(r::{table}).%I', attname), ', ' ORDER BY attnum
                ) AS reads
            FROM pg_attribute
            WHERE attrelid = '{table}'::regclass
                AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
        ) columns, (SELECT array_agg(t::text) AS texts FROM {table} t) rows
        WHERE rows.texts IS NOT NULL
    """


def _first_column(connection: Any, query: str) -> list[str]:
    return [row[0] for row in connection.execute(query.encode()).fetchall()]
