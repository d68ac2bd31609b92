"""Bulk operations."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session

from masthead.audit.models import AuditEntry
from masthead.testing import Desk


def test_valid_items_succeed_and_each_failure_is_named(toys: Desk) -> None:
    ready = toys.create_public()["id"]
    toys.edit(ready, published=False)
    draft = toys.create()["id"]

    answer = toys.bulk("publish", [draft, ready, 999, ready])

    assert answer["success"] is True
    assert answer["affected"] == 1
    errors = {each["id"]: each["error"] for each in answer["failed"]}
    assert errors == {
        draft: "Content must be approved before it can be published",
        999: "Not found",
    }
    assert len(answer["failed"]) == 2
    assert toys.show(ready)["published"] is True
    assert toys.show(draft)["published"] is False


def test_an_edit_that_waits_for_approval_is_named(toys: Desk) -> None:
    edited, plain = (toys.create_public()["id"] for _ in range(2))
    toys.edit(edited, title="Edited")

    waiting = toys.bulk("publish", [edited, plain])
    toys.publish(edited)
    approved = toys.bulk("publish", [edited])

    error = "The edit of this item waits for approval; the live copy stays as it is"
    assert waiting["failed"] == [{"id": edited, "error": error}]
    assert waiting["affected"] == approved["affected"] == 1
    assert approved["failed"] == []


def test_an_invalid_request_is_refused_and_changes_nothing(toys: Desk) -> None:
    item = toys.create_public()["id"]

    for operation, ids in (
        ("burn", [item]),
        (None, [item]),
        ("delete", item),
        ("delete", None),
        ("delete", [item, "1"]),
        ("delete", [item, None]),
        ("delete", [item, True]),
        ("delete", [item, 1.0]),
        ("delete", [item, 0]),
        ("delete", [item, -1]),
        ("unpublish", {"0": item}),
    ):
        toys.bulk(operation, ids, status=400)
    toys.client.post_json("/api/staff/toys/bulk", {"ids": [item]}, status=400)

    assert toys.show(item)["published"] is True


def test_no_ids_affect_nothing_and_doubles_count_once(toys: Desk) -> None:
    item = toys.create()["id"]

    for operation in ("publish", "unpublish", "delete"):
        assert toys.bulk(operation, []) == {"success": True, "affected": 0, "failed": []}
    assert toys.bulk("unpublish", [item, item])["affected"] == 1
    assert toys.bulk("delete", [item, item])["affected"] == 1
    assert toys.bulk("delete", [item])["failed"] == [{"id": item, "error": "Not found"}]


def test_staged_edits_are_named_and_not_published(toys: Desk) -> None:
    item = toys.create_public()
    toys.edit(item["id"], title="Staged")

    [waiting] = toys.bulk("publish", [item["id"]])["failed"]
    assert waiting["id"] == item["id"]
    assert waiting["error"].startswith("The edit of this item waits for approval")
    assert toys.public_item(item["slug"])["title"] == "A title"
    assert toys.bulk("unpublish", [item["id"]])["affected"] == 1
    failed = toys.bulk("publish", [item["id"]])["failed"]
    assert [each["id"] for each in failed] == [item["id"]]


def test_a_large_number_is_done_at_once(memos: Desk) -> None:
    made = [memos.create(title=f"Memo {n}")["id"] for n in range(20)]

    answer = memos.bulk("delete", [*made, *range(10_000, 15_000)])

    assert (answer["affected"], len(answer["failed"])) == (20, 5_000)
    assert memos.list() == []


def test_each_item_has_its_audit_entry(toys: Desk, session: Session) -> None:
    ids = [toys.create_public()["id"] for _ in range(2)]

    toys.bulk("unpublish", ids)
    toys.bulk("unpublish", ids)
    toys.bulk("publish", ids)
    toys.bulk("delete", ids)

    entries = session.scalars(select(AuditEntry).order_by(AuditEntry.id)).all()
    seen = [(e.action, e.content_id) for e in entries if e.action.startswith("content.")]
    assert seen == [
        (f"content.{verb}", item) for verb in ("unpublish", "publish", "delete") for item in ids
    ]
