"""Requests that end: the notifications of approvers, and those of requesters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from masthead.testing import Desk

MakeUser = Callable[..., Any]


def unread(desk: Desk) -> list[dict[str, Any]]:
    told: list[dict[str, Any]] = desk.client.get("/api/staff/notifications?unreadOnly=true").json
    return told


def test_whoever_requested_learns_of_the_change_of_another(toys: Desk, make_user: MakeUser) -> None:
    mine = toys.as_user(make_user())
    others = toys.as_user(make_user("ben", display_name="Ben Berg"))
    item = mine.create(title="Robot")["id"]
    mine.request(item)

    others.edit(item, title="Android")

    [told] = unread(mine)
    assert (told["type"], told["title"]) == ("approval_returned", "Approval Request Returned: Toy")
    assert told["message"] == (
        'Ben Berg changed "Android", so it is a draft again and needs a new request'
    )
    assert told["item"]["title"] == "Android"


def test_nobody_learns_of_their_own_change_or_of_one_that_ends_no_request(
    toys: Desk, make_user: MakeUser
) -> None:
    mine, others = (toys.as_user(make_user()) for _ in range(2))
    item = mine.create()["id"]
    mine.request(item)
    mine.edit(item, title="My own")
    others.edit(item, title="A draft")
    mine.request(item)
    toys.as_role("admin").edit(item, title="An approver's")
    others.edit(item, displayOrder=3)

    assert toys.show(item)["approvalStatus"] == "pending"
    assert unread(mine) == []


def test_a_new_request_has_a_notification_of_its_own(toys: Desk) -> None:
    admin = toys.as_role("admin")
    item = toys.create()["id"]
    for title in ("One", "Two"):
        toys.edit(item, title=title)
        toys.request(item)

    assert [each["message"].split('"')[1] for each in unread(admin)] == ["Two"]
    told = admin.client.get("/api/staff/notifications").json
    assert [each["read"] for each in told] == [False, True]
