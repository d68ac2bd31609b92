"""Failing requests: retries, log entries, and 503 if the database can't serve now."""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import psycopg.errors
import pytest
from pyramid.request import Request
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.orm.exc import StaleDataError

from masthead.core_plugin import plugin as core
from masthead.db import Database
from masthead.db.locking import lock
from masthead.db.waits import FULL
from masthead.hookspecs import hookimpl
from masthead.http.endpoints import Endpoint
from masthead.http.permissions import PUBLIC
from masthead.http.routes import MAX_BODY
from masthead.http.uploads import FileField
from masthead.plugins import Plugin
from masthead.schemas.field_types import Str
from masthead.schemas.schema import SUCCESS, required, schema
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
    """A plugin whose view calls a function of the test and counts the calls."""

    times = 0
    act: Callable[[Request], object]

    @hookimpl
    def masthead_routes(self) -> list[Endpoint]:
        return [
            Endpoint(
                name="asked.look",
                method="GET",
                path="/api/act",
                view=self.view,
                permission=PUBLIC,
                summary="Act",
                returns=SUCCESS,
            ),
            Endpoint(
                name="asked.act",
                method="POST",
                path="/api/act",
                view=self.view,
                permission=PUBLIC,
                summary="Act",
                returns=SUCCESS,
                body=schema({"word": required(Str())}),
            ),
            Endpoint(
                name="asked.upload",
                method="POST",
                path="/api/upload",
                view=self.view,
                permission=PUBLIC,
                summary="Act, with a file",
                returns=SUCCESS,
                upload=FileField(MAX_BODY),
            ),
        ]

    def view(self, request: Request) -> Any:
        self.times += 1
        self.act(request)
        return {"success": True}


@pytest.fixture
def asked() -> Asked:
    return Asked()


@pytest.fixture
def plugins(asked: Asked) -> list[Plugin]:
    return [core, Plugin(name="asked", hooks=(asked,))]


def test_a_request_that_is_asked_again_has_not_failed(
    app: Client, asked: Asked, caplog: pytest.LogCaptureFixture
) -> None:
    def lose_twice(request: Request) -> None:
        request.db.execute(text("SELECT 1"))
        if asked.times < 3:
            raise StaleDataError("hush")

    asked.act = lose_twice
    caplog.set_level(logging.INFO, "masthead")

    answer = app.post_json("/api/act", {"word": "x"})

    told = [
        (r.levelname, r.getMessage()) for r in caplog.records if r.name == "masthead.http.refusals"
    ]
    said = f"Request {answer.headers['X-Request-Id']} is retried after StaleDataError"
    assert told == [("INFO", said)] * 2
    assert "Traceback" not in caplog.text


def test_two_requests_that_wait_for_each_other_both_succeed(
    app: Client, asked: Asked, database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    if database.dialect == "sqlite":
        pytest.skip("SQLite has one writer at a time")
    met = Barrier(2)

    def wait_for_the_other(request: Request) -> None:
        first = request.data["word"]
        lock(request.db, first)
        if request.environ["retry.attempt"] == 0:
            met.wait(10)
        lock(request.db, {"a": "b", "b": "a"}[first])

    asked.act = wait_for_the_other
    caplog.set_level(logging.INFO, "masthead")

    with ThreadPoolExecutor(2) as threads:
        bodies = [{"word": "a"}, {"word": "b"}]
        list(threads.map(lambda body: app.post_json("/api/act", body), bodies))

    assert caplog.text.count("is retried after OperationalError") == 1
    assert "Traceback" not in caplog.text


def test_a_request_that_is_asked_again_has_all_that_was_sent(app: Client, asked: Asked) -> None:
    seen = []

    def lose_once(request: Request) -> None:
        request.db.execute(text("SELECT 1"))
        seen.append(request.upload.file.read() if hasattr(request, "upload") else request.data)
        if len(seen) % 2:
            raise StaleDataError

    asked.act = lose_once

    app.post_json("/api/act", {"word": "x"})
    app.post("/api/upload", upload_files=[("file", "a.txt", b"x" * 200_000)])

    assert seen == [{"word": "x"}] * 2 + [b"x" * 200_000] * 2


def test_a_request_that_was_asked_in_vain_has_failed_once(
    app: Client, asked: Asked, caplog: pytest.LogCaptureFixture
) -> None:
    def lose(request: Request) -> None:
        request.db.execute(text("SELECT 1"))
        raise StaleDataError

    asked.act = lose

    answer = app.post_json("/api/act", {"word": "x"}, status=500)

    assert asked.times == 3
    [failure] = [r for r in caplog.records if r.levelno == logging.ERROR]
    place = f"core/tests/http/test_refusals.py:{lose.__code__.co_firstlineno + 2}"
    request_id = answer.headers["X-Request-Id"]
    assert failure.getMessage() == f"Request {request_id} failed in the plugin asked ({place})"


def test_a_permanent_failure_is_not_retried(
    app: Client, asked: Asked, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(request: Request) -> None:
        request.db.execute(text("SELECT nothing FROM nowhere WHERE word = :word"), request.data)

    asked.act = fail

    app.post_json("/api/act", {"word": "hush"}, status=500)

    assert asked.times == 1
    assert "nowhere" in caplog.text
    assert "hush" not in caplog.text, "a log tells no more of a body than where it was used"


def ask(app: Client, method: str = "POST", status: int = 200) -> Any:
    """Have the plugin act."""
    if method == "GET":
        return app.get("/api/act", status=status)
    return app.post_json("/api/act", {"word": "x"}, status=status)


@pytest.mark.usefixtures("app")
def test_the_application_waits_for_the_database_as_long_as_is_set(database: Database) -> None:
    assert (database.waits.lock, database.waits.statement) == (10, 30)


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
    database.waits.lock = 1
    database.dispose()
    with database.transaction() as session:
        lock(session, "it")
        session.execute(text("SELECT 1"))

        answer = ask(app, status=503)

    assert answer.json == MESSAGE
    assert answer.headers["Retry-After"] == "5"
    assert answer.headers["Cache-Control"] == "no-store"
    ask(app)


@pytest.mark.parametrize("kind", PASSING, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_an_error_that_passes_is_503(
    app: Client, asked: Asked, method: str, kind: type[psycopg.Error]
) -> None:
    asked.act = fail_with(OperationalError("SELECT 1", {}, kind("hush")))

    answer = ask(app, method, status=503)

    assert (answer.json, answer.headers["Retry-After"]) == (MESSAGE, "5")


def test_a_full_disk_of_postgresql_is_503_and_a_cause(
    app: Client, asked: Asked, database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    full = psycopg.errors.DiskFull("could not extend file: No space left on device")
    asked.act = fail_with(OperationalError("INSERT", {}, full))

    answers = [ask(app, "POST", status=503) for _ in range(2)]
    writes = app.get("/readyz").json["checks"]["writes"]

    assert [answer.json for answer in answers] == [{"error": FULL.message}] * 2
    assert {answer.headers["Retry-After"] for answer in answers} == {"60"}
    lines = [each.getMessage() for each in caplog.records if each.levelname == "ERROR"]
    assert len([line for line in lines if "No space left on device" in line]) == 1
    assert "Traceback" not in caplog.text
    if database.dialect == "postgresql":
        assert "the database refused to write: could not extend file" in writes


@pytest.mark.parametrize("kind", LASTING, ids=lambda kind: kind.__name__)
def test_an_error_that_lasts_is_500(app: Client, asked: Asked, kind: type[psycopg.Error]) -> None:
    asked.act = fail_with(DBAPIError("SELECT 1", {}, kind("hush")))

    assert "Retry-After" not in ask(app, status=500).headers


def test_a_pool_without_a_free_connection_is_503(app: Client, asked: Asked) -> None:
    asked.act = fail_with(PoolTimeoutError("QueuePool limit"))

    assert ask(app, status=503).json == MESSAGE
