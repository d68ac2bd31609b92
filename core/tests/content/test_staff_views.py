"""Revisions: a client that sends the revision it read can't overwrite a later change."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from masthead.testing import Desk


def test_show_create_and_update_carry_the_revision(toys: Desk) -> None:
    created = toys.client.post_json("/api/staff/toys", {"title": "A"})
    path = f"/api/staff/toys/{created.json['id']}"

    assert created.headers["ETag"] == toys.client.get(path).headers["ETag"] == '"1"'
    updated = toys.client.put_json(path, {"title": "B"})
    assert updated.headers["ETag"] == toys.client.get(path).headers["ETag"] == '"2"'


def test_a_stale_if_match_is_refused_and_changes_nothing(toys: Desk) -> None:
    item = toys.create()
    etag = toys.etag(item["id"])
    toys.edit(item["id"], title="Theirs", if_match=etag)
    before = toys.show(item["id"])

    for stale in (etag, f"W/{etag}", '"77"', '"nonsense"', ""):
        toys.edit(item["id"], title="Mine", if_match=stale, status=412)
    assert toys.show(item["id"]) == before

    for current in (toys.etag(item["id"]), "*"):
        toys.edit(item["id"], title="Mine", if_match=current)
    fresh = toys.etag(item["id"])
    toys.edit(item["id"], title="Ours", if_match=f'"77", W/{fresh}')


def test_a_stale_etag_in_the_body_is_refused_and_changes_nothing(toys: Desk) -> None:
    item = toys.create()
    etag = toys.etag(item["id"])
    toys.edit(item["id"], title="Theirs", etag=etag)
    before = toys.show(item["id"])

    for stale in (etag, etag.strip('"'), "77", "", 2):
        assert toys.edit(item["id"], title="Mine", etag=stale, status=400)["error"].startswith(
            "etag"
        )
    assert toys.show(item["id"]) == before
    toys.edit(item["id"], title="Mine", etag=toys.etag(item["id"]).strip('"'))
    toys.edit(item["id"], title="Ours", etag=None)


def test_each_change_raises_the_revision_and_no_approval_move_does(
    toys: Desk, make_tag: Callable[[str], Any]
) -> None:
    tag = make_tag("Wood")
    admin = toys.as_role("admin")
    item = toys.create()["id"]

    def changes(action: Callable[[], Any]) -> bool:
        before = toys.etag(item)
        action()
        return toys.etag(item) != before

    assert changes(lambda: toys.edit(item, title="B"))
    assert changes(lambda: toys.edit(item, tagIds=[tag["id"]]))
    assert changes(lambda: toys.edit(item, displayOrder=9))
    assert not changes(lambda: toys.edit(item, title="B", tagIds=[tag["id"]]))
    assert not changes(lambda: toys.request(item))
    assert not changes(lambda: admin.reject(item))
    assert not changes(lambda: toys.request(item))
    assert not changes(lambda: admin.approve(item))
    assert changes(lambda: toys.edit(item, title="Staged"))
    assert changes(lambda: toys.edit(item, maker="Staged"))
    assert not changes(lambda: toys.request(item))
    assert not changes(lambda: admin.approve(item))
    assert changes(lambda: toys.edit(item, published=False))
    assert changes(lambda: toys.bulk("publish", [item]))
    assert not changes(lambda: toys.bulk("publish", [item]))
    assert not changes(toys.list)


def test_deleting_a_tag_raises_the_revision_of_its_items(
    toys: Desk, make_tag: Callable[[str], Any]
) -> None:
    tag = make_tag("Wood")
    tagged, other = toys.create(tagIds=[tag["id"]]), toys.create()
    before = toys.etag(tagged["id"]), toys.etag(other["id"])

    toys.client.put_json(f"/api/staff/tags/{tag['id']}", {"name": "Old wood"})
    assert (toys.etag(tagged["id"]), toys.etag(other["id"])) == before
    toys.client.delete(f"/api/staff/tags/{tag['id']}")

    assert toys.etag(tagged["id"]) != before[0]
    assert toys.etag(other["id"]) == before[1]
    toys.edit(tagged["id"], status=412, if_match=before[0], description="Mine")


def test_an_approval_can_name_the_revision_that_was_read(toys: Desk) -> None:
    admin = toys.as_role("admin")
    item = toys.create()["id"]
    toys.request(item)
    read = toys.etag(item)
    admin.edit(item, title="Changed meanwhile")

    for stale in (read, read.strip('"'), f"W/{read}", ""):
        assert admin.approve(item, etag=stale, status=400)["error"].startswith("etag")
    assert toys.show(item)["approvalStatus"] == "pending"

    admin.approve(item, etag=toys.etag(item).strip('"'))
    other = toys.create()["id"]
    toys.request(other)
    admin.approve(other, etag=None)


def test_staff_read_a_reason_of_the_maximum_length(toys: Desk) -> None:
    item = toys.create()["id"]
    toys.request(item)

    toys.as_role("admin").reject(item, reason="x" * 2_000)

    assert toys.show(item)["rejectionReason"] == "x" * 2_000


def test_blank_text_is_not_replaced_by_the_default(toys: Desk) -> None:
    item = toys.create(maker=" ", fragile="", displayOrder=None)

    assert (item["maker"], item["fragile"], item["displayOrder"]) == ("", False, 0)
