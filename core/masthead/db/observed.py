"""The metrics and spans of statements, and the metrics of the connection pools."""

from __future__ import annotations

import time
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


def observe(database: Database) -> None:
    """Measure the statements of a database, if metrics or tracing are on."""
    if not (metrics.is_on() or tracing.is_on()):
        return
    pools = {"write": database.engine, "read": database.reader}
    for engine in pools.values():
        event.listen(engine, "before_cursor_execute", _begin)
        event.listen(engine, "after_cursor_execute", _end)
        event.listen(engine, "handle_error", _fail)

    def sample() -> None:
        for name, engine in pools.items():
            _sample(name, engine)

    metrics.add_sampler(sample)


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


def _sample(name: str, engine: Engine) -> None:
    pool = engine.pool
    if isinstance(pool, QueuePool):
        _CONNECTIONS.set(pool.checkedout(), name, "used")
        _CONNECTIONS.set(pool.checkedin(), name, "idle")
        _CAPACITY.set(2 * pool.size(), name)
