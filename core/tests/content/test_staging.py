"""Edits of published content wait beside the live copy until they are approved."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from masthead.auth.models import User
from masthead.content.contenttype import ContentType
from masthead.instance import Instance
from masthead.testing import Desk


@pytest.fixture
def public(toys: Desk) -> Callable[[dict[str, Any]], Any]:
    """Return all public answers that show an item."""

    def look(item: dict[str, Any]) -> Any:
        return (
            toys.public_item(item["slug"]),
            toys.public_list(),
            toys.public_list(tag="wood"),
            toys.public_list(tag="stone"),
            toys.related(item["id"]),
        )

    return look


def test_no_public_answer_shows_a_staged_edit(
    toys: Desk, make_tag: Callable[[str], Any], public: Callable[[dict[str, Any]], Any]
) -> None:
    wood, stone = make_tag("Wood"), make_tag("Stone")
    toys.create_public(title="Neighbour", tagIds=[stone["id"]])
    item = toys.create_public(tagIds=[wood["id"]], maker="Ada", content="<p>Old</p>")
    before = public(item)

    toys.edit(
        item["id"],
        title="Staged",
        maker="Ben",
        content="<p>New</p>",
        tagIds=[stone["id"]],
        scheduledPublishAt="2100-01-01",
    )
    assert public(item) == before
    toys.request(item["id"])
    assert public(item) == before
    toys.as_role("admin").reject(item["id"])
    assert public(item) == before

    toys.edit(item["id"], scheduledPublishAt=None)
    toys.publish(item["id"])
    detail, _, woods, stones, related = public(item)
    assert (detail["title"], detail["maker"], detail["content"]) == ("Staged", "Ben", "<p>New</p>")
    assert (detail["tags"], woods, len(stones)) == ([stone], [], 2)
    assert [each["title"] for each in related] == ["Neighbour"]


def test_staff_see_staged_edits_in_detail_and_list(
    toys: Desk, make_tag: Callable[[str], Any]
) -> None:
    tags = [make_tag(name) for name in ("Wood", "Stone")]
    item = toys.create_public(maker="Ada")

    toys.edit(item["id"], maker="Ben", tagIds=[tag["id"] for tag in tags])

    shown = toys.show(item["id"])
    [listed] = toys.list()
    assert (shown["maker"], listed["maker"]) == ("Ben", "Ben")
    assert shown["tags"] == tags[::-1]
    assert "content" not in listed
    for each in (shown, listed):
        assert (each["approvalStatus"], each["published"], each["staged"]) == ("draft", True, True)


def test_all_edits_are_staged_while_there_are_staged_edits(toys: Desk) -> None:
    item = toys.create_public(maker="Ada")
    toys.edit(item["id"], title="By the editor")

    toys.as_role("admin").edit(item["id"], maker="By the admin")

    assert toys.public_item(item["slug"])["maker"] == "Ada"
    shown = toys.show(item["id"])
    assert (shown["title"], shown["maker"]) == ("By the editor", "By the admin")
    toys.publish(item["id"])
    live = toys.public_item(item["slug"])
    assert (live["title"], live["maker"]) == ("By the editor", "By the admin")


def test_an_approver_edits_live(toys: Desk) -> None:
    item = toys.create_public(maker="Ada")

    edited = toys.as_role("admin").edit(item["id"], maker="Ben")

    assert (edited["approvalStatus"], edited["staged"]) == ("approved", False)
    assert toys.public_item(item["slug"])["maker"] == "Ben"


def test_pending_staged_edits_that_change_need_another_request(toys: Desk) -> None:
    item = toys.create_public()
    toys.edit(item["id"], title="Staged")
    toys.request(item["id"])

    assert toys.edit(item["id"], title="Changed")["approvalStatus"] == "draft"
    toys.as_role("admin").approve(item["id"], status=400)
    assert toys.public_item(item["slug"])["title"] == "A title"


def test_rejected_staged_edits_stay_with_the_reason_and_can_be_requested_again(
    toys: Desk,
) -> None:
    item = toys.create_public()
    toys.edit(item["id"], title="Staged")
    toys.request(item["id"])
    toys.as_role("admin").reject(item["id"], reason="A typo")

    shown = toys.show(item["id"])
    assert (shown["title"], shown["approvalStatus"], shown["rejectionReason"]) == (
        "Staged",
        "rejected",
        "A typo",
    )
    assert (shown["published"], shown["staged"]) == (True, True)

    assert toys.publish(item["id"])["rejectionReason"] is None
    assert toys.public_item(item["slug"])["title"] == "Staged"


def test_dropping_staged_edits_restores_the_approved_state(
    toys: Desk, make_tag: Callable[[str], Any]
) -> None:
    tag = make_tag("Wood")
    item = toys.create_public(maker="Ada", tagIds=[tag["id"]])
    etag = toys.etag(item["id"])
    toys.edit(item["id"], maker="Ben", tagIds=[])
    toys.request(item["id"])
    toys.as_role("admin").reject(item["id"], reason="No")

    assert toys.drop_staged(item["id"]) == {"success": True}

    dropped = toys.show(item["id"])
    volatile = {"updatedAt", "approvalRequestedAt", "approvalRequestedBy"}
    assert {k: v for k, v in dropped.items() if k not in volatile} == {
        k: v for k, v in item.items() if k not in volatile
    }
    assert toys.etag(item["id"]) != etag
    toys.drop_staged(item["id"], status=404)
    toys.drop_staged(9999, status=404)
    toys.request(item["id"], status=400)


def test_the_position_in_the_list_changes_at_once(toys: Desk) -> None:
    first, second = (toys.create_public(displayOrder=n) for n in (1, 2))

    moved = toys.edit(first["id"], displayOrder=3)
    assert (moved["approvalStatus"], moved["staged"]) == ("approved", False)
    assert [each["id"] for each in toys.public_list()] == [second["id"], first["id"]]

    both = toys.edit(first["id"], displayOrder=0, title="Staged")
    assert (both["approvalStatus"], both["staged"], both["displayOrder"]) == ("draft", True, 0)
    assert [each["title"] for each in toys.public_list()] == ["A title", "A title"]
    assert [each["id"] for each in toys.public_list()] == [first["id"], second["id"]]
    toys.edit(first["id"], displayOrder=5)
    toys.publish(first["id"])
    assert [each["title"] for each in toys.public_list()] == ["A title", "Staged"]


def test_staged_values_of_fields_that_need_no_approval_any_more_are_ignored(
    toys: Desk, toys_type: ContentType, instance: Instance
) -> None:
    toy = toys.create_public(displayOrder=1, maker="Ada")
    toys.edit(toy["id"], title="Staged", maker="Ben")
    with instance.database.transaction() as session:
        item = session.get(toys_type.model, toy["id"])
        assert item is not None
        newly_declared = {name: value for name, value in item.staged.items() if name != "maker"}
        item.staged = newly_declared | {"displayOrder": 99, "gone": "x"}

    [listed] = toys.list()
    shown = toys.show(toy["id"])

    for seen in (listed, shown):
        assert (seen["title"], seen["maker"], seen["displayOrder"]) == ("Staged", "Ada", 1)
        assert "gone" not in seen
    assert toys.edit(toy["id"], description="More") == shown | {
        "description": "More",
        "updatedAt": toys.show(toy["id"])["updatedAt"],
    }
    toys.publish(toy["id"])
    assert toys.public_item(toy["slug"])["displayOrder"] == 1


def test_unpublishing_works_at_once_and_keeps_the_staged_edits(toys: Desk) -> None:
    item = toys.create_public()
    toys.edit(item["id"], title="Staged")

    down = toys.edit(item["id"], published=False)

    assert (down["title"], down["published"], down["staged"]) == ("Staged", False, True)
    toys.public_item(item["slug"], status=404)
    error = toys.edit(item["id"], published=True, title="Sneaked", status=400)["error"]
    assert error == "Content must be approved before it can be published"
    assert toys.bulk("publish", [item["id"]])["affected"] == 0
    toys.request(item["id"])
    toys.as_role("admin").reject(item["id"])
    toys.public_item(item["slug"], status=404)
    toys.publish(item["id"])
    assert toys.public_item(item["slug"])["title"] == "Staged"


def test_dropping_after_unpublishing_leaves_an_approved_item_that_can_be_published(
    toys: Desk,
) -> None:
    item = toys.create_public()
    toys.edit(item["id"], title="Staged")
    toys.edit(item["id"], published=False)
    toys.drop_staged(item["id"])

    toys.edit(item["id"], published=True)

    assert toys.public_item(item["slug"])["title"] == "A title"


def test_unpublishing_and_editing_in_one_save_stages_nothing(toys: Desk) -> None:
    item = toys.create_public()

    edited = toys.edit(item["id"], published=False, title="Changed")

    assert (edited["approvalStatus"], edited["published"], edited["staged"]) == (
        "draft",
        False,
        False,
    )
    toys.public_item(item["slug"], status=404)


def test_a_save_that_changes_nothing_stages_nothing(toys: Desk) -> None:
    item = toys.create_public(maker="Ada", content="<p>Text</p>", scheduledPublishAt="2026-01-01")
    etag = toys.etag(item["id"])

    same = toys.edit(item["id"], **{k: v for k, v in item.items() if k not in ("tags", "id")})

    assert same == item
    assert toys.etag(item["id"]) == etag


def test_a_tag_deleted_while_it_is_staged_is_left_out(
    toys: Desk, make_tag: Callable[[str], Any]
) -> None:
    wood, stone = make_tag("Wood"), make_tag("Stone")
    item = toys.create_public()
    toys.edit(item["id"], tagIds=[wood["id"], stone["id"]])

    toys.client.delete(f"/api/staff/tags/{wood['id']}")

    assert toys.show(item["id"])["tags"] == [stone]
    toys.edit(item["id"], title="Another")
    toys.publish(item["id"])
    assert toys.public_item(item["slug"])["tags"] == [stone]
    assert toys.show(item["id"])["tags"] == [stone]


def test_the_check_applies_to_staged_edits_too(toys: Desk) -> None:
    item = toys.create_public(minAge=3)

    assert toys.edit(item["id"], maxAge=2, status=400)["error"].startswith("maxAge")
    toys.edit(item["id"], maxAge=8)
    toys.edit(item["id"], minAge=9, status=400)
    assert toys.edit(item["id"], minAge=8)["staged"]


def test_a_delete_removes_the_staged_edits(toys: Desk) -> None:
    item = toys.create_public()
    toys.edit(item["id"], title="Staged")

    toys.delete(item["id"])

    toys.show(item["id"], status=404)
    assert toys.list() == []


class TestLiveEdits:
    """With ``masthead.approval.edits = live`` every editor edits live."""

    @pytest.fixture
    def settings(self) -> dict[str, str]:
        return {"masthead.approval.edits": "live"}

    def test_every_editor_edits_live(self, toys: Desk) -> None:
        item = toys.create_public()

        edited = toys.edit(item["id"], title="Changed")

        assert (edited["approvalStatus"], edited["staged"]) == ("approved", False)
        assert toys.public_item(item["slug"])["title"] == "Changed"

    def test_unpublished_and_scheduled_items_are_edited_as_well(self, toys: Desk) -> None:
        down = toys.create_public()["id"]
        toys.edit(down, published=False)
        pending = toys.create()["id"]
        toys.request(pending)

        assert toys.edit(down, title="Changed")["approvalStatus"] == "approved"
        assert toys.edit(pending, title="Changed")["approvalStatus"] == "pending"
        toys.edit(pending, published=True, status=400)


class TestFourEyes:
    """With ``masthead.approval.four_eyes`` an approver's edit needs approval, too."""

    @pytest.fixture
    def settings(self) -> dict[str, str]:
        return {"masthead.approval.four_eyes": "true"}

    def test_an_approvers_edit_is_staged_and_approved_by_another(
        self, toys: Desk, make_user: Callable[..., User]
    ) -> None:
        ada, ben = (toys.as_user(make_user(name, role="admin")) for name in ("ada", "ben"))
        item = toys.create()
        toys.request(item["id"])
        ada.approve(item["id"])

        edited = ada.edit(item["id"], title="Changed")
        toys.request(item["id"])

        assert (edited["approvalStatus"], edited["staged"]) == ("draft", True)
        ada.approve(item["id"], status=403)
        ben.approve(item["id"])
        assert toys.show(item["id"])["title"] == "Changed"
        ada.edit(item["id"], published=False)
        assert ada.edit(item["id"], title="Again")["approvalStatus"] == "draft"


def test_an_approver_can_stage_an_edit(toys: Desk) -> None:
    admin = toys.as_role("admin")
    item = toys.create_public(title="Live")

    staged = admin.edit(item["id"], title="Staged", stage=True)

    assert (staged["title"], staged["staged"], staged["approvalStatus"]) == (
        "Staged",
        True,
        "draft",
    )
    assert toys.public_item(item["slug"])["title"] == "Live"
    assert admin.edit(item["id"], title="Live", stage=False)["staged"] is True
    draft = admin.create(title="Draft")["id"]
    assert admin.edit(draft, title="Other", stage=True)["approvalStatus"] == "draft"
    assert "stage" in admin.edit(draft, title="Other", stage="yes", status=400)["error"]


def test_the_detail_shows_the_live_values_beside_the_staged_ones(
    toys: Desk, make_tag: Callable[[str], Any]
) -> None:
    wood, stone = make_tag("Wood"), make_tag("Stone")
    item = toys.create_public(title="Live", content="<p>Old</p>", tagIds=[wood["id"]])
    assert item["live"] is None

    shown = toys.edit(item["id"], title="Staged", tagIds=[stone["id"]], displayOrder=7)

    live, tag_ids = shown["live"], [wood["id"]]
    assert (live["title"], live["content"], live["tagIds"]) == ("Live", "<p>Old</p>", tag_ids)
    assert "displayOrder" not in live
    assert (shown["title"], shown["tags"], shown["displayOrder"]) == ("Staged", [stone], 7)
    assert "live" not in toys.list()[0]
