"""Restores of revisions that meet something else: another restore, or a request for approval."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest

from masthead import User
from masthead.testing import Client, Clock, Desk


@pytest.fixture
def news(clock: Clock, app: Client) -> Desk:  # noqa: ARG001 - stops the clock before
    return Desk(app, "news").as_role("editor")


@pytest.fixture
def item(news: Desk, clock: Clock) -> int:
    """Return the id of a draft with three revisions, whose titles are their numbers."""
    made: int = news.create(title="1")["id"]
    for title in ("2", "3"):
        clock.shift(hours=1)
        news.edit(made, title=title)
    return made


def path(item: int) -> str:
    return f"/api/staff/news/{item}/revisions"


def restore(desk: Desk, item: int, number: int, **options: Any) -> Any:
    return desk.client.post_json(f"{path(item)}/{number}/restore", options, status="*")


def test_two_restores_at_once_follow_each_other_unless_they_name_a_revision(
    news: Desk, item: int
) -> None:
    barrier = Barrier(2)

    def send(number: int, **options: str) -> int:
        barrier.wait()
        return int(restore(news, item, number, **options).status_int)

    def at_once(*numbers: int, **options: str) -> list[int]:
        with ThreadPoolExecutor(2) as pool:
            return sorted(pool.map(lambda number: send(number, **options), numbers))

    assert at_once(1, 2) == [200, 200]
    newest, former = news.client.get(path(item)).json[:2]
    assert (newest["number"], former["number"]) == (5, 4)
    assert {newest["restoredFrom"], former["restoredFrom"]} == {1, 2}
    assert news.show(item)["title"] == str(newest["restoredFrom"])

    # A restore of the present values would change nothing.
    others = former["restoredFrom"], 3
    assert at_once(*others, etag=news.etag(item).strip('"')) == [200, 400]


def test_a_restore_returns_a_pending_item_to_draft_and_tells_its_requester(
    news: Desk, item: int, app: Client, make_user: Callable[..., User]
) -> None:
    news.request(item)

    assert restore(news.as_user(make_user("bob", role="editor")), item, 1).status_int == 200

    shown = news.show(item)
    assert (shown["title"], shown["approvalStatus"]) == ("1", "draft")
    assert shown["editedBy"]["username"] == "bob"
    told = news.client.get("/api/staff/notifications").json
    assert [each["type"] for each in told] == ["approval_returned"]
    assert app.as_role("admin").get("/api/staff/notifications?unreadOnly=true").json == []
    news.as_role("admin").approve(item, status=400)


def test_a_restore_of_a_pending_edit_leaves_the_live_copy(
    news: Desk, clock: Clock, app: Client
) -> None:
    item = news.create_public(title="Live")
    for title in ("First edit", "Second edit"):
        clock.shift(hours=1)
        news.edit(item["id"], title=title)
    news.request(item["id"])

    assert restore(news, item["id"], 2).status_int == 200

    shown = news.show(item["id"])
    assert (shown["title"], shown["staged"], shown["approvalStatus"]) == (
        "First edit",
        True,
        "draft",
    )
    assert app.get(f"/api/news/{item['slug']}").json["title"] == "Live"
    assert news.publish(item["id"])["title"] == "First edit"
