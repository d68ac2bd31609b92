"""A database that can't serve now: 503 with Retry-After, and never 500."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import psycopg.errors
import pytest
from pyramid.request import Request
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from masthead.core_plugin import plugin as core
from masthead.db import Database
from masthead.db.locking import lock
from masthead.hookspecs import hookimpl
from masthead.http.endpoints import Endpoint
from masthead.http.permissions import PUBLIC
from masthead.plugins import Plugin
from masthead.schemas.schema import SUCCESS
from masthead.testing.client import Client

MESSAGE = {"error": "The database is busy or can't be reached; try again later"}
PASSING = [
    psycopg.errors.DeadlockDetected,
    psycopg.errors.SerializationFailure,
    psycopg.errors.LockNotAvailable,
    psycopg.errors.QueryCanceled,
    psycopg.errors.AdminShutdown,
    psycopg.errors.CannotConnectNow,
    psycopg.errors.TooManyConnections,
    psycopg.errors.ConnectionFailure,
    psycopg.errors.ConnectionTimeout,
    psycopg.OperationalError,
]
LASTING = [psycopg.errors.UndefinedTable, psycopg.errors.UniqueViolation, psycopg.ProgrammingError]


class Asked:
    """A plugin whose view calls a function of the test."""

    act: Callable[[Request], object]

    @hookimpl
    def masthead_routes(self) -> list[Endpoint]:
        declared: Any = {"path": "/api/act", "view": self.view, "permission": PUBLIC}
        return [
            Endpoint(name=f"asked.{m}", method=m, summary="Act", returns=SUCCESS, **declared)
            for m in ("GET", "POST")
        ]

    def view(self, request: Request) -> Any:
        self.act(request)
        return {"success": True}


@pytest.fixture
def asked() -> Asked:
    return Asked()


@pytest.fixture
def plugins(asked: Asked) -> list[Plugin]:
    return [core, Plugin(name="asked", hooks=(asked,))]


@pytest.fixture
def settings() -> Mapping[str, str]:
    return {"masthead.database.lock_timeout": "1"}


def fail_with(error: Exception) -> Callable[[Request], None]:
    def fail(request: Request) -> None:
        request.db.execute(text("SELECT 1"))
        raise error

    return fail


@pytest.mark.slow
def test_a_writer_that_gives_up_on_a_lock_is_503(
    app: Client, asked: Asked, database: Database
) -> None:
    def write(request: Request) -> None:
        lock(request.db, "it")
        request.db.execute(text("SELECT 1"))

    asked.act = write
    # Connections that were open before the application was made wait longer.
    database.dispose()
    with database.transaction() as session:
        lock(session, "it")
        session.execute(text("SELECT 1"))

        answer = app.post("/api/act", status=503)

    assert answer.json == MESSAGE
    assert answer.headers["Retry-After"] == "5"
    assert answer.headers["Cache-Control"] == "no-store"
    app.post("/api/act")


@pytest.mark.parametrize("kind", PASSING, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_an_error_that_passes_is_503(
    app: Client, asked: Asked, method: str, kind: type[psycopg.Error]
) -> None:
    asked.act = fail_with(OperationalError("SELECT 1", {}, kind("hush")))

    answer = app.request("/api/act", method=method, status=503)

    assert (answer.json, answer.headers["Retry-After"]) == (MESSAGE, "5")


@pytest.mark.parametrize("kind", LASTING, ids=lambda kind: kind.__name__)
def test_an_error_that_lasts_is_500(app: Client, asked: Asked, kind: type[psycopg.Error]) -> None:
    asked.act = fail_with(DBAPIError("SELECT 1", {}, kind("hush")))

    assert "Retry-After" not in app.post("/api/act", status=500).headers


def test_a_pool_without_a_free_connection_is_503(app: Client, asked: Asked) -> None:
    asked.act = fail_with(PoolTimeoutError("QueuePool limit"))

    assert app.post("/api/act", status=503).json == MESSAGE
