"""The cache tells the server which answers it has at hand, to send them without a thread."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import Any

import pytest

from masthead.http.environ import AT_HAND
from masthead.testing import Client, Clock, Database, Desk

pytestmark = pytest.mark.usefixtures("clock", "article")


@pytest.fixture
def article(desk: Desk) -> None:
    desk.publish(desk.create(title="One")["id"])


def at_hand(app: Client, path: str, query: str = "", method: str = "GET") -> Any:
    return app.app.at_hand(method, path, query)


def ask(app: Client, address: str) -> Any:
    """Request an answer until it is at hand; on PostgreSQL it is for half a second only."""
    path, _, query = address.partition("?")
    for _ in range(20):
        app.get(address)
        if (found := at_hand(app, path, query)) is not None:
            return found
    raise AssertionError(f"{address} never is at hand")


def test_nothing_is_at_hand_before_the_first_request(app: Client) -> None:
    assert at_hand(app, "/api/news") is None


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_an_answer_is_at_hand_after_a_request_and_stays_the_same(app: Client, method: str) -> None:
    send = app.get if method == "GET" else app.head
    first = send("/api/news?limit=5")

    found = ask(app, "/api/news?limit=5")

    again = send("/api/news?limit=5", extra_environ={AT_HAND: found})
    assert again.body == first.body
    assert again.headers["ETag"] == first.headers["ETag"]


def test_an_answer_at_hand_is_a_304_for_a_client_that_has_it(app: Client) -> None:
    etag = app.get("/api/news").headers["ETag"]

    environ = {AT_HAND: ask(app, "/api/news")}
    answer = app.get("/api/news", headers={"If-None-Match": etag}, extra_environ=environ)

    assert answer.status_code == 304


def test_a_write_leaves_nothing_at_hand(app: Client) -> None:
    ask(app, "/api/news")

    app.as_role("admin").post_json("/api/staff/tags", {"name": "Red"})

    assert at_hand(app, "/api/news") is None


def test_the_passing_of_a_boundary_leaves_nothing_at_hand(
    clock: Clock, app: Client, desk: Desk
) -> None:
    due = (clock.now() + timedelta(minutes=5)).isoformat()
    desk.publish(desk.create(title="Later", scheduledPublishAt=due)["id"])
    ask(app, "/api/news")
    clock.shift(minutes=4)
    ask(app, "/api/news")

    clock.shift(minutes=2)

    assert at_hand(app, "/api/news") is None


def test_an_answer_that_may_be_outdated_is_not_at_hand(app: Client, database: Database) -> None:
    """SQLite is asked at each request; on PostgreSQL answers expire after half a second."""
    app.get("/api/news")
    time.sleep(0.6)

    assert (at_hand(app, "/api/news") is not None) == (database.dialect == "sqlite")


@pytest.mark.parametrize("method", ["POST", "OPTIONS", "get", "-"])
def test_nothing_is_at_hand_for_other_methods(app: Client, method: str) -> None:
    app.get("/api/news")

    assert at_hand(app, "/api/news", method=method) is None


@pytest.mark.parametrize("path", ["/api/staff/news", "/api/auth/check", "/healthz"])
def test_an_answer_that_is_not_public_is_never_at_hand(app: Client, path: str) -> None:
    app.as_role("admin").get(path)

    assert at_hand(app, path) is None


def test_a_question_mark_in_a_path_is_not_taken_for_the_query(app: Client) -> None:
    app.get("/api/news/one?a=1")

    assert at_hand(app, "/api/news/one?a=1") is None
    assert app.get("/api/news/one%3Fa=1", status=404).json == {"error": "Not found"}


def test_a_long_answer_is_left_to_a_thread(app: Client, desk: Desk) -> None:
    desk.publish(desk.create(title="Long", content=f"<p>{'x' * 600_000}</p>")["id"])
    app.get("/api/news/long")

    ask(app, "/api/news")

    assert at_hand(app, "/api/news/long") is None
