"""The settings of the connections to the database."""

from __future__ import annotations

from masthead.settings import Setting, boolean, integer

POOL_SIZE = Setting(
    "masthead.database.pool_size",
    integer(1, 500),
    "10",
    "Database connections that each process keeps open; under load it opens up to twice as many.",
    shows=False,
)
PREPARED = Setting(
    "masthead.database.prepared",
    boolean,
    "true",
    "Whether PostgreSQL keeps prepared statements and limits for each connection. A pooler in"
    " transaction mode, such as PgBouncer, needs false; each transaction then sets its limits.",
    shows=False,
)
LOCK_TIMEOUT = Setting(
    "masthead.database.lock_timeout",
    integer(1, 3600),
    "10",
    "Seconds that a request waits for a lock of the database before it is answered with 503.",
    shows=False,
)
STATEMENT_TIMEOUT = Setting(
    "masthead.database.statement_timeout",
    integer(1, 3600),
    "30",
    "Seconds that a request waits for a statement of PostgreSQL before it is answered with 503.",
    shows=False,
)
