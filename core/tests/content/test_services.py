"""Creating items, and changing items that have no live copy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import update

from masthead.auth.models import User
from masthead.content.contenttype import ContentType
from masthead.db import Database
from masthead.testing import Desk

REFUSED = "Content must be approved before it can be published"
STAFF_FIELDS = {
    "approvalStatus",
    "approvalRequestedAt",
    "approvalRequestedBy",
    "approvedAt",
    "approvedBy",
    "rejectedAt",
    "rejectedBy",
    "rejectionReason",
    "published",
    "scheduledPublishAt",
    "scheduledUnpublishAt",
    "visibility",
    "staged",
    "createdAt",
    "updatedAt",
    "createdBy",
}
APPROVAL_FIELDS = STAFF_FIELDS - {
    "scheduledPublishAt",
    "scheduledUnpublishAt",
    "visibility",
    "createdAt",
    "updatedAt",
    "createdBy",
}


def test_a_create_makes_a_draft_whatever_the_body_says(
    toys: Desk, make_user: Callable[..., User]
) -> None:
    ada = make_user("ada")

    item = toys.as_user(ada).create(published=True, approvalStatus="approved", id=77, approvedBy=1)

    assert item.keys() >= STAFF_FIELDS
    nulls = {"approvalRequestedAt", "approvedAt", "approvedBy", "rejectedAt", "rejectionReason"}
    assert all(item[name] is None for name in nulls)
    assert (item["approvalStatus"], item["published"], item["staged"]) == ("draft", False, False)
    assert item["createdBy"] == {"id": ada.id, "username": "ada", "displayName": None}
    assert item["tags"] == []
    assert toys.public_list() == []


def test_an_invalid_field_is_named_and_nothing_is_stored(toys: Desk) -> None:
    for field, value in (
        ("title", ""),
        ("title", "  "),
        ("title", None),
        ("title", 5),
        ("title", "x" * 201),
        ("title", "a\x00b"),
        ("description", "x" * 2001),
        ("content", "x" * (1024 * 1024 + 1)),
        ("photo", "javascript:alert(1)"),
        ("photo", "//evil.example"),
        ("minAge", "3"),
        ("minAge", True),
        ("minAge", 2**63),
        ("minAge", -1),
        ("fragile", "yes"),
        ("scheduledPublishAt", "soon"),
        ("tagIds", "1"),
        ("tagIds", [1]),
        ("tagIds", ["1"]),
        ("tagIds", [0]),
        ("tagIds", [True]),
        ("published", "banana"),
    ):
        error = toys.create(**{field: value}, status=400)["error"]
        assert error.startswith(field), error

    assert toys.list() == []


def test_null_means_the_default_of_a_field_that_has_one(toys: Desk) -> None:
    item = toys.create(fragile=None, displayOrder=None, published=None)
    assert (item["fragile"], item["displayOrder"], item["published"]) == (False, 0, False)
    toys.edit(item["id"], fragile=True, displayOrder=7)

    cleared = toys.edit(item["id"], fragile=None, displayOrder=None, published=None)

    assert (cleared["fragile"], cleared["displayOrder"], cleared["published"]) == (False, 0, False)


def test_null_and_an_empty_list_remove_all_tags(toys: Desk, make_tag: Callable[[str], Any]) -> None:
    tag = make_tag("Wood")
    item = toys.create(tagIds=[tag["id"], tag["id"]])
    assert item["tags"] == [tag]

    assert toys.edit(item["id"], tagIds=None)["tags"] == []
    assert toys.edit(item["id"], tagIds=[tag["id"]])["tags"] == [tag]
    assert toys.edit(item["id"], tagIds=[])["tags"] == []
    assert toys.create(tagIds=None)["tags"] == []


def test_an_update_replaces_all_tags_and_refuses_unknown_ones(
    toys: Desk, make_tag: Callable[[str], Any]
) -> None:
    tags = [make_tag(name) for name in ("Wood", "Stone", "Clay")]
    item = toys.create(tagIds=[tag["id"] for tag in tags[:2]])

    error = toys.edit(item["id"], title="Lost", tagIds=[tags[2]["id"], 999], status=400)["error"]
    assert error == "tagIds: Unknown tag 999"
    assert toys.show(item["id"]) == item

    assert toys.edit(item["id"], tagIds=[tags[2]["id"]])["tags"] == [tags[2]]


def test_the_check_gets_stored_and_sent_values_together(toys: Desk) -> None:
    toys.create(minAge=5, maxAge=4, status=400)
    item = toys.create(minAge=5)

    assert toys.edit(item["id"], maxAge=4, status=400)["error"].startswith("maxAge")
    toys.edit(item["id"], maxAge=6)
    toys.edit(item["id"], minAge=7, status=400)
    assert toys.edit(item["id"], minAge=7, maxAge=None)["minAge"] == 7


def test_the_check_gets_the_default_of_an_absent_field(toys: Desk) -> None:
    error = toys.create(displayOrder=-1_001, status=400)["error"]

    assert error == "displayOrder: Must not be less than -1000"
    assert toys.create()["displayOrder"] == toys.create(displayOrder=None)["displayOrder"] == 0


def test_html_is_sanitised_once_and_stays_unchanged_afterwards(toys: Desk) -> None:
    item = toys.create(content="<p onclick=x>A<script>alert(1)</script></p>")

    assert item["content"] == "<p>A</p>"
    etag = toys.etag(item["id"])
    assert toys.edit(item["id"], content=item["content"])["content"] == "<p>A</p>"
    assert toys.etag(item["id"]) == etag


def test_publishing_without_approval_is_refused_and_nothing_is_saved(toys: Desk) -> None:
    item = toys.create()
    for move in (None, toys.request, toys.as_role("admin").reject):
        if move is not None:
            move(item["id"])
        for editor in (toys, toys.as_role("admin")):
            before = toys.show(item["id"])
            refused = editor.edit(item["id"], title="Lost", published=True, status=400)
            assert refused["error"] == REFUSED
            assert toys.show(item["id"]) == before


def test_a_value_of_published_equal_to_the_one_shown_is_no_change(toys: Desk) -> None:
    draft = toys.create()
    assert toys.edit(draft["id"], published=False) == draft
    assert toys.edit(draft["id"], published=0, title="Changed")["title"] == "Changed"

    public = toys.create_public()
    assert toys.edit(public["id"], published=True) == public
    assert toys.edit(public["id"], published=1, title="Staged")["staged"] is True


def test_approved_content_is_unpublished_and_published_again(toys: Desk) -> None:
    item = toys.create_public()

    down = toys.edit(item["id"], published=False)
    assert (down["published"], down["approvalStatus"]) == (False, "approved")
    toys.public_item(item["slug"], status=404)

    up = toys.edit(item["id"], published=True)
    assert (up["published"], up["approvalStatus"]) == (True, "approved")
    assert toys.public_item(item["slug"])


def test_an_item_that_the_check_forbids_by_now_can_be_unpublished(
    toys: Desk, toys_type: ContentType, database: Database
) -> None:
    item = toys.create_public(minAge=5, maxAge=6)
    with database.transaction() as session:
        session.execute(update(toys_type.table).values(min_age=7))

    toys.edit(item["id"], title="Changed", status=400)
    assert toys.edit(item["id"], published=False)["published"] is False
    toys.public_item(item["slug"], status=404)


def test_an_edit_of_approved_content_that_is_not_public_returns_it_to_draft(toys: Desk) -> None:
    item = toys.create_public()
    toys.edit(item["id"], published=False)

    refused = toys.edit(item["id"], published=True, title="Sneaked", status=400)
    edited = toys.edit(item["id"], title="Changed")

    assert refused["error"] == REFUSED
    assert (edited["approvalStatus"], edited["published"], edited["staged"]) == (
        "draft",
        False,
        False,
    )
    toys.edit(item["id"], published=True, status=400)
    assert toys.publish(item["id"])["published"] is True


def test_an_approver_edits_and_publishes_approved_content_in_one_save(toys: Desk) -> None:
    item = toys.create_public()
    toys.edit(item["id"], published=False)

    edited = toys.as_role("admin").edit(item["id"], published=True, title="Changed")

    assert (edited["approvalStatus"], edited["published"]) == ("approved", True)
    assert toys.public_item(item["slug"])["title"] == "Changed"


def test_an_edit_of_pending_content_returns_it_to_draft_but_an_approvers_does_not(
    toys: Desk,
) -> None:
    item = toys.create()
    toys.request(item["id"])

    for change in ({"displayOrder": 4}, {"published": False}, {"title": item["title"]}):
        assert toys.edit(item["id"], **change)["approvalStatus"] == "pending"
    assert toys.as_role("admin").edit(item["id"], title="Better")["approvalStatus"] == "pending"
    assert toys.edit(item["id"], title="Worse")["approvalStatus"] == "draft"
    toys.as_role("admin").approve(item["id"], status=400)


def test_an_edit_of_rejected_content_leaves_it_rejected(toys: Desk) -> None:
    item = toys.create()
    toys.request(item["id"])
    toys.as_role("admin").reject(item["id"], reason="A typo")

    edited = toys.edit(item["id"], title="Better")

    assert (edited["approvalStatus"], edited["rejectionReason"]) == ("rejected", "A typo")


def test_a_change_shows_in_updated_at_and_its_editor_in_nothing_public(
    toys: Desk, make_user: Callable[..., User]
) -> None:
    ada = make_user("ada", display_name="Ada Lovelace")
    item = toys.as_user(ada).create_public()

    assert toys.public_item(item["slug"])["author"] == {"displayName": "Ada Lovelace"}
    assert toys.public_list()[0]["author"] == {"displayName": "Ada Lovelace"}
    for shown in (toys.public_item(item["slug"]), toys.public_list()[0]):
        assert not (APPROVAL_FIELDS | {"createdBy", "note", "revision", "position"}) & shown.keys()


@pytest.mark.parametrize("name", [None, ""])
def test_a_creator_without_a_display_name_is_no_author(
    toys: Desk, make_user: Callable[..., User], name: str | None
) -> None:
    item = toys.as_user(make_user("ada", display_name=name)).create_public()

    assert toys.public_item(item["slug"])["author"] is None


def test_staff_lists_leave_out_the_content_and_public_lists_as_declared(
    toys: Desk, memos: Desk
) -> None:
    toys.create_public(content="<p>Text</p>", note="Private")
    memos.create_public(content="<p>Text</p>")

    assert "content" not in toys.list()[0]
    assert toys.public_list()[0]["content"] == "<p>Text</p>"
    assert "content" not in memos.public_list()[0]
    assert "note" not in toys.public_list()[0]
    assert toys.list()[0]["note"] == "Private"


def test_invalid_ids_are_not_found(toys: Desk) -> None:
    toys.create_public()
    for text in ("0", "-1", "01", "1.0", "x", str(2**63), "9" * 30, "%20", "1%00"):
        for path in (f"/api/staff/toys/{text}", f"/api/toys/{text}/related"):
            toys.client.get(path, status=404)
        toys.client.put_json(f"/api/staff/toys/{text}", {"title": "Lost"}, status=404)
        toys.client.delete(f"/api/staff/toys/{text}", status=404)
    toys.show(2**63 - 1, status=404)
