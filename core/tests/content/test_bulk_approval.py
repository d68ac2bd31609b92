"""Moves of many items at once in the approval workflow."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from masthead.testing import Desk

BULK = "/api/staff/approval/bulk"


def at_once(desk: Desk, operation: Any, items: Any, *, status: int = 200, **values: Any) -> Any:
    """Move items, each a desk with the id, and perhaps an entity tag."""
    body = {"operation": operation, "items": items, **values}
    return desk.client.post_json(BULK, body, status=status).json


def named(desk: Desk, *ids: int) -> list[dict[str, Any]]:
    return [{"contentType": desk.content_type, "contentId": each} for each in ids]


def failures(answer: Any) -> list[tuple[Any, ...]]:
    keys = ("contentType", "id", "error", "status", "code")
    return [tuple(each[key] for key in keys) for each in answer["failed"]]


def test_thirty_items_are_requested_approved_and_rejected(toys: Desk, memos: Desk) -> None:
    admin = toys.as_role("admin")
    items = named(toys, *(toys.create()["id"] for _ in range(15)))
    items += named(memos, *(memos.create()["id"] for _ in range(15)))
    all_moved = {"success": True, "affected": 30, "failed": []}

    assert at_once(toys, "request", items, comment="For Friday") == all_moved
    pending = admin.client.get("/api/staff/approval/pending").json
    assert [each["comment"] for each in pending] == ["For Friday"] * 30
    told = admin.client.get("/api/staff/notifications?unreadOnly=true").json
    assert len(told) == 30
    assert at_once(admin, "approve", [*items[:20], *items[:20]])["affected"] == 20
    assert at_once(admin, "reject", items[20:], reason="Too short")["affected"] == 10

    assert (len(toys.public_list()), len(memos.public_list())) == (15, 5)
    rejected = memos.list(approvalStatus="rejected")
    assert [each["rejectionReason"] for each in rejected] == ["Too short"] * 10
    assert admin.client.get("/api/staff/notifications?unreadOnly=true").json == []


def test_each_failure_is_named_and_the_others_are_approved(
    toys: Desk, memos: Desk, make_user: Callable[..., Any], make_role: Callable[..., Any]
) -> None:
    admin = toys.as_role("admin")
    ready, stale, draft = (toys.create()["id"] for _ in range(3))
    memo = memos.create()["id"]
    for item in (ready, stale):
        toys.request(item)
    memos.request(memo)
    role = make_role("toy judge")
    config = {"contentType": "toys", "roleId": role.id}
    admin.client.post_json("/api/staff/approval-config", config)
    judge = toys.as_user(make_user(role="toy judge"))
    items = [*named(memos, memo), *named(toys, 999, draft, stale, ready)]
    items[3]["etag"] = '"7"'
    items[4]["etag"] = toys.etag(ready)

    answer = at_once(judge, "approve", items)

    assert answer["affected"] == 1
    assert failures(answer) == [
        ("memos", memo, "Forbidden", 403, None),
        ("toys", stale, "etag: The item has changed since it was read", 400, "changed"),
        ("toys", draft, "Not pending approval", 400, None),
        ("toys", 999, "Content not found", 404, None),
    ]
    assert [each["id"] for each in toys.public_list()] == [ready]
    states = [toys.show(each)["approvalStatus"] for each in (stale, draft)]
    assert [*states, memos.show(memo)["approvalStatus"]] == ["pending", "draft", "pending"]
    unread = admin.client.get("/api/staff/notifications?unreadOnly=true").json
    assert {(each["contentType"], each["contentId"]) for each in unread} == {
        ("toys", stale),
        ("memos", memo),
    }


def test_an_invalid_call_is_refused_and_moves_nothing(toys: Desk) -> None:
    item = toys.create()["id"]
    [good] = named(toys, item)

    for operation, items, path in (
        ("publish", [good], "operation"),
        (None, [good], "operation"),
        ("request", good, "items"),
        ("request", None, "items"),
        ("request", [good] * 101, "items"),
        ("request", [good, 1], "items.1"),
        ("request", [good, {"contentType": "cars", "contentId": 1}], "items.1.contentType"),
        ("request", [good, {"contentType": "toys"}], "items.1.contentId"),
        ("request", [good, {"contentType": "toys", "contentId": True}], "items.1.contentId"),
        ("request", [good, {**good, "etag": 3}], "items.1.etag"),
    ):
        answer = at_once(toys, operation, items, status=400)
        assert [each["path"] for each in answer["fields"]] == [path]

    assert toys.show(item)["approvalStatus"] == "draft"
    assert at_once(toys, "request", []) == {"success": True, "affected": 0, "failed": []}


@pytest.mark.parametrize("settings", [{"masthead.approval.four_eyes": "true"}])
def test_nobody_approves_their_own_items_among_others(
    toys: Desk, make_user: Callable[..., Any]
) -> None:
    admin = toys.as_user(make_user(role="admin"))
    mine, others = admin.create()["id"], toys.create()["id"]
    requested = at_once(admin, "request", named(toys, mine))
    toys.request(others)

    answer = at_once(admin, "approve", named(toys, mine, others))

    assert requested["warning"].startswith("Nobody can approve it")
    assert [(each["id"], each["status"]) for each in answer["failed"]] == [(mine, 403)]
    assert [each["id"] for each in toys.public_list()] == [others]
