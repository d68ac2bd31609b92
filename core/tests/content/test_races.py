"""Concurrent requests: one wins, none overwrites another, and none fails without a reason."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier
from typing import Any

import pytest

from masthead.auth.models import User
from masthead.testing import Clock, Desk
from masthead.testing.client import Client

pytestmark = pytest.mark.product

ROUNDS = 4


def at_once(*actions: Callable[[], Any]) -> list[Any]:
    """Run actions at the same time, and return their results in order."""
    barrier = Barrier(len(actions))

    def start(action: Callable[[], Any]) -> Any:
        barrier.wait()
        return action()

    with ThreadPoolExecutor(len(actions)) as pool:
        return list(pool.map(start, actions))


def poster(client: Client, path: str, body: dict[str, Any]) -> Callable[[], int]:
    """Return an action that sends a POST and returns the status."""
    return lambda: int(client.post_json(path, body, status="*").status_int)


def putter(desk: Desk, item: int, etag: str, **values: Any) -> Callable[[], int]:
    """Return an action that sends an edit with a revision and returns the status."""
    path, headers = f"/api/staff/{desk.content_type}/{item}", {"If-Match": etag}
    return lambda: int(desk.client.put_json(path, values, headers=headers, status="*").status_int)


def deleter(desk: Desk, path: str) -> Callable[[], int]:
    """Return an action that sends a DELETE and returns the status."""
    return lambda: int(desk.client.delete(path, status="*").status_int)


def approvers(desk: Desk, make_user: Callable[..., User]) -> Sequence[Desk]:
    return [desk.as_user(make_user(role="admin")) for _ in range(2)]


def test_of_two_approvers_one_wins(toys: Desk, make_user: Callable[..., User]) -> None:
    both = approvers(toys, make_user)
    for _ in range(ROUNDS):
        item = toys.create()["id"]
        toys.request(item)
        body = {"contentType": "toys", "contentId": item}

        statuses = at_once(
            *(poster(desk.client, "/api/staff/approval/approve", body) for desk in both)
        )

        assert sorted(statuses) == [200, 400]


def test_of_an_approval_and_a_rejection_one_wins(
    toys: Desk, make_user: Callable[..., User]
) -> None:
    one, other = approvers(toys, make_user)
    for _ in range(ROUNDS):
        item = toys.create()["id"]
        toys.request(item)
        body = {"contentType": "toys", "contentId": item}

        approved, rejected = at_once(
            poster(one.client, "/api/staff/approval/approve", body),
            poster(other.client, "/api/staff/approval/reject", body),
        )

        assert sorted((approved, rejected)) == [200, 400]
        state = toys.show(item)["approvalStatus"]
        assert state == ("approved" if approved == 200 else "rejected")


def test_of_an_approval_and_a_takedown_the_takedown_stays(
    toys: Desk, make_user: Callable[..., User]
) -> None:
    one, other = approvers(toys, make_user)
    for _ in range(ROUNDS):
        item = toys.create_public()["id"]
        toys.edit(item, title="Edited")
        toys.request(item)
        body = {"contentType": "toys", "contentId": item}
        down = {"operation": "unpublish", "ids": [item]}

        approved, unpublished = at_once(
            poster(one.client, "/api/staff/approval/approve", body),
            poster(other.client, "/api/staff/toys/bulk", down),
        )

        shown = toys.show(item)
        assert (unpublished, shown["published"]) == (200, False)
        assert (approved, shown["approvalStatus"]) in [(200, "approved"), (400, "draft")]


def test_of_an_approval_and_a_withdrawal_one_wins(
    toys: Desk, make_user: Callable[..., User]
) -> None:
    one, other = approvers(toys, make_user)
    for _ in range(ROUNDS):
        item = toys.create()["id"]
        toys.request(item)
        body = {"contentType": "toys", "contentId": item}

        approved, withdrawn = at_once(
            poster(one.client, "/api/staff/approval/approve", body),
            poster(other.client, "/api/staff/approval/withdraw", body),
        )

        assert sorted((approved, withdrawn)) == [200, 400]
        state = toys.show(item)["approvalStatus"]
        assert state == ("approved" if approved == 200 else "draft")


def test_moves_of_the_same_items_in_other_orders_move_each_once(
    toys: Desk, make_user: Callable[..., User]
) -> None:
    both = approvers(toys, make_user)
    for _ in range(ROUNDS):
        ids = [toys.create()["id"] for _ in range(8)]
        items = [{"contentType": "toys", "contentId": each} for each in ids]
        path, body = "/api/staff/approval/bulk", {"operation": "request", "items": items}
        toys.client.post_json(path, body)

        def move(desk: Desk, operation: str, items: list[Any], path: str = path) -> Any:
            return desk.client.post_json(path, {"operation": operation, "items": items}).json

        answers = at_once(
            partial(move, both[0], "approve", items), partial(move, both[1], "reject", items[::-1])
        )

        assert sum(each["affected"] for each in answers) == len(ids)
        assert sum(len(each["failed"]) for each in answers) == len(ids)


def test_concurrent_creates_with_one_title_get_different_slugs(memos: Desk) -> None:
    items = at_once(*(partial(memos.create, title="Title"),) * 30)

    assert {item["slug"] for item in items} == {"title", *(f"title-{n}" for n in range(2, 31))}


def test_concurrent_approvals_with_one_title_get_different_slugs(toys: Desk) -> None:
    items = [toys.create(title="Same")["id"] for _ in range(6)]
    for item in items:
        toys.request(item)

    at_once(*(partial(toys.as_role("admin").approve, item) for item in items))

    assert len({toys.show(item)["slug"] for item in items}) == 6


def test_of_concurrent_equal_tags_one_is_created(app: Client) -> None:
    editor = app.as_role("editor")
    for n in range(ROUNDS):
        statuses = at_once(*(poster(editor, "/api/staff/tags", {"name": f"Tag {n}"}),) * 6)
        assert sorted(statuses) == [200] + [400] * 5
    names = [f"C{mark}" for mark in "+-*/!?"]
    assert at_once(*(poster(editor, "/api/staff/tags", {"name": name}) for name in names)) == (
        [200] * 6
    )


def test_an_edit_of_a_revision_that_was_just_replaced_is_refused(toys: Desk) -> None:
    for n in range(ROUNDS):
        item = toys.create()["id"]
        etag = toys.etag(item)

        statuses = at_once(*(putter(toys, item, etag, maker=f"{n} {k}") for k in range(4)))

        assert sorted(statuses) == [200, 412, 412, 412]


def test_nobody_approves_a_revision_that_they_have_not_read(
    toys: Desk, make_user: Callable[..., User]
) -> None:
    admin = toys.as_user(make_user(role="admin"))
    for _ in range(ROUNDS):
        item = toys.create(title="Read")["id"]
        toys.request(item)
        etag = toys.etag(item)
        body = {"contentType": "toys", "contentId": item, "etag": etag}

        approved, edited = at_once(
            poster(admin.client, "/api/staff/approval/approve", body),
            putter(toys, item, etag, title="Unread"),
        )

        assert edited == 200
        public = [each["title"] for each in toys.public_list() if each["id"] == item]
        assert (approved, public) in [(200, ["Read"]), (400, [])]


def test_a_tag_can_be_deleted_while_items_are_tagged(
    memos: Desk, make_tag: Callable[[str], Any]
) -> None:
    for n in range(2 * ROUNDS):
        tag = make_tag(f"Tag {n}")["id"]
        body = {"title": "Tagged", "tagIds": [tag]}

        created, deleted = at_once(
            poster(memos.client, "/api/staff/memos", body),
            deleter(memos, f"/api/staff/tags/{tag}"),
        )

        assert (created, deleted) in [(200, 200), (400, 200)]
        assert memos.public_list() == []


def test_a_tag_can_be_renamed_and_deleted_while_its_content_is_edited(
    memos: Desk, make_tag: Callable[[str], Any]
) -> None:
    other = make_tag("Other")["id"]
    for n in range(ROUNDS):
        tag = make_tag(f"Tag {n}")["id"]
        items = [memos.create_public(tagIds=[tag])["id"] for _ in range(2)]
        path = f"/api/staff/tags/{tag}"
        rename = partial(memos.client.put_json, path, {"name": f"Renamed {n}"}, status="*")

        answers = at_once(
            partial(rename) if n % 2 else partial(memos.client.delete, path, status="*"),
            *(
                putter(memos.as_role("admin"), item, "*", tagIds=[tag, other], title=f"Edit {n}")
                for item in items
            ),
        )

        assert answers[0].status_int == 200
        assert set(answers[1:]) <= {200, 400}


def test_an_item_can_be_deleted_while_it_is_edited_and_approved(toys: Desk) -> None:
    admin = toys.as_role("admin")
    for _ in range(ROUNDS):
        item = toys.create()["id"]
        toys.request(item)
        body = {"contentType": "toys", "contentId": item}
        etag = toys.etag(item)

        deleted, approved, edited = at_once(
            deleter(toys, f"/api/staff/toys/{item}"),
            poster(admin.client, "/api/staff/approval/approve", body),
            putter(toys, item, etag, title="Changed"),
        )

        assert deleted == 200
        assert approved in (200, 400, 404)
        assert edited in (200, 404)
        toys.show(item, status=404)


@pytest.mark.parametrize("body", [{"etag": "3"}, {}])
def test_of_two_restores_none_is_lost(
    clock: Clock, toys: Desk, make_user: Callable[..., User], body: dict[str, Any]
) -> None:
    item = toys.create(title="One")["id"]
    for title in ("Two", "Three"):
        clock.shift(hours=1)
        toys.edit(item, title=title)
    revisions = f"/api/staff/toys/{item}/revisions"

    statuses = at_once(
        *(
            poster(desk.client, f"{revisions}/{number}/restore", body)
            for number, desk in enumerate(approvers(toys, make_user), start=1)
        )
    )

    assert sorted(statuses) == ([200, 400] if body else [200, 200])
    newest = toys.client.get(revisions).json[0]["restoredFrom"]
    assert toys.show(item)["title"] == {1: "One", 2: "Two"}[newest]
