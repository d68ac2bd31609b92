"""The metrics and spans of statements, and the metrics of the connection pools."""

from __future__ import annotations

import time
import weakref
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Engine, event
from sqlalchemy.engine import ExceptionContext
from sqlalchemy.pool import QueuePool

from masthead.telemetry import metrics, tracing
from masthead.telemetry.metrics import OTHER, Counter, Gauge, Histogram

if TYPE_CHECKING:
    from masthead.db.engine import Database

_STATEMENTS = Histogram(
    "masthead_database_statement_duration_seconds",
    "Time until the database has executed a statement, by the statement's first word.",
    ("kind",),
)
_FAILURES = Counter("masthead_database_statement_failures", "Statements that failed.", ("kind",))
_CONNECTIONS = Gauge(
    "masthead_database_connections",
    "Connections of the pools for reading and writing, in use or idle.",
    ("pool", "state"),
)
_CAPACITY = Gauge(
    "masthead_database_connections_max", "Connections that a pool can open.", ("pool",)
)
_KINDS = frozenset({"select", "insert", "update", "delete", "begin"})
_BEGAN = "masthead.statement_began"
_observed: weakref.WeakSet[Database] = weakref.WeakSet()
"""The databases of this process: a server and the worker inside it have one each."""


def observe(database: Database) -> None:
    """Measure the statements of a database, if metrics or tracing are on."""
    if not (metrics.is_on() or tracing.is_on()):
        return
    for engine in (database.engine, database.reader):
        event.listen(engine, "before_cursor_execute", _begin)
        event.listen(engine, "after_cursor_execute", _end)
        event.listen(engine, "handle_error", _fail)
    _observed.add(database)
    metrics.add_sampler(_sample)


def _begin(connection: Connection, *_rest: Any) -> None:
    connection.info[_BEGAN] = time.perf_counter()


def _end(connection: Connection, _cursor: Any, statement: str, *_rest: Any) -> None:
    _record(connection, statement, failed=False)


def _fail(context: ExceptionContext) -> None:
    if context.connection is not None and context.statement is not None:
        _record(context.connection, context.statement, failed=True)


def _record(connection: Connection, statement: str, *, failed: bool) -> None:
    # After the loss of a connection its info is empty.
    began = connection.info.pop(_BEGAN, None) if not connection.closed else None
    if began is None:
        return
    seconds, kind = time.perf_counter() - began, _kind(statement)
    _STATEMENTS.observe(seconds, kind)
    if failed:
        _FAILURES.add(kind)
    if tracing.is_on():
        now = time.time_ns()
        name = connection.dialect.name
        # The text has placeholders, and never the values of parameters.
        facts = {"db__system__name": name, "db__query__text": statement}
        began_at = now - int(seconds * 1e9)
        tracing.add_past_span(kind.upper(), "client", began_at, now, failed=failed, **facts)


def _kind(statement: str) -> str:
    word = statement.lstrip(" (\n")[:6].split(maxsplit=1)[0].lower() if statement else OTHER
    return "select" if word == "with" else word if word in _KINDS else OTHER


def _sample() -> None:
    databases = list(_observed)
    _set("write", [database.engine for database in databases])
    _set("read", [database.reader for database in databases])


def _set(name: str, engines: Iterable[Engine]) -> None:
    pools = [engine.pool for engine in engines if isinstance(engine.pool, QueuePool)]
    _CONNECTIONS.set(sum(pool.checkedout() for pool in pools), name, "used")
    _CONNECTIONS.set(sum(pool.checkedin() for pool in pools), name, "idle")
    _CAPACITY.set(sum(2 * pool.size() for pool in pools), name)
