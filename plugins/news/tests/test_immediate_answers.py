"""The immediate answers of the cache, which the server sends without waiting."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import Any

import pytest

from masthead.http.environ import IMMEDIATE_ANSWER
from masthead.testing import Client, Clock, Database, Desk

pytestmark = pytest.mark.usefixtures("clock", "article")


@pytest.fixture
def article(desk: Desk) -> None:
    desk.publish(desk.create(title="One")["id"])


def immediate_answer(app: Client, path: str, query: str = "", method: str = "GET") -> Any:
    return app.app.immediate_answer(method, path, query)


def ask(app: Client, address: str) -> Any:
    """Request an address until its answer is immediate; on PostgreSQL that lasts half a second."""
    path, _, query = address.partition("?")
    for _ in range(20):
        app.get(address)
        if (found := immediate_answer(app, path, query)) is not None:
            return found
    raise AssertionError(f"{address} never has an immediate answer")


def test_the_first_request_for_an_address_gets_no_immediate_answer(app: Client) -> None:
    assert immediate_answer(app, "/api/news") is None


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_the_second_request_gets_an_immediate_answer_equal_to_the_first(
    app: Client, method: str
) -> None:
    send = app.get if method == "GET" else app.head
    first = send("/api/news?limit=5")

    found = ask(app, "/api/news?limit=5")

    again = send("/api/news?limit=5", extra_environ={IMMEDIATE_ANSWER: found})
    assert again.body == first.body
    assert again.headers["ETag"] == first.headers["ETag"]


def test_an_immediate_answer_to_a_client_that_has_it_is_304(app: Client) -> None:
    etag = app.get("/api/news").headers["ETag"]

    environ = {IMMEDIATE_ANSWER: ask(app, "/api/news")}
    answer = app.get("/api/news", headers={"If-None-Match": etag}, extra_environ=environ)

    assert answer.status_code == 304


def test_a_write_drops_the_immediate_answers(app: Client) -> None:
    ask(app, "/api/news")

    app.as_role("admin").post_json("/api/staff/tags", {"name": "Red"})

    assert immediate_answer(app, "/api/news") is None


def test_a_visibility_change_drops_the_immediate_answers(
    clock: Clock, app: Client, desk: Desk
) -> None:
    due = (clock.now() + timedelta(minutes=5)).isoformat()
    desk.publish(desk.create(title="Later", scheduledPublishAt=due)["id"])
    ask(app, "/api/news")
    clock.shift(minutes=4)
    ask(app, "/api/news")

    clock.shift(minutes=2)

    assert immediate_answer(app, "/api/news") is None


def test_an_answer_that_may_be_outdated_is_not_immediate(app: Client, database: Database) -> None:
    """SQLite is queried each time; on PostgreSQL the copy is outdated after half a second."""
    app.get("/api/news")
    time.sleep(0.6)

    assert (immediate_answer(app, "/api/news") is not None) == (database.dialect == "sqlite")


def test_answers_stay_when_a_change_is_some_seconds_old(clock: Clock, app: Client) -> None:
    ask(app, "/api/news")
    clock.shift(seconds=4)

    ask(app, "/api/tags")

    assert immediate_answer(app, "/api/news") is not None


@pytest.mark.parametrize("method", ["POST", "OPTIONS", "get", "-"])
def test_other_methods_get_no_immediate_answer(app: Client, method: str) -> None:
    app.get("/api/news")

    assert immediate_answer(app, "/api/news", method=method) is None


@pytest.mark.parametrize("path", ["/api/staff/news", "/api/auth/check", "/healthz"])
def test_an_answer_that_is_not_public_is_never_immediate(app: Client, path: str) -> None:
    app.as_role("admin").get(path)

    assert immediate_answer(app, path) is None


def test_a_question_mark_in_a_path_is_not_taken_for_the_query(app: Client) -> None:
    app.get("/api/news/one?a=1")

    assert immediate_answer(app, "/api/news/one?a=1") is None
    assert app.get("/api/news/one%3Fa=1", status=404).json == {"error": "Not found"}


def test_a_long_answer_is_left_to_a_thread(app: Client, desk: Desk) -> None:
    desk.publish(desk.create(title="Long", content=f"<p>{'x' * 600_000}</p>")["id"])
    app.get("/api/news/long")

    ask(app, "/api/news")

    assert immediate_answer(app, "/api/news/long") is None
