"""The tests of requests that end, and of the work of approvers, for every content type."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import Any

import pytest

from masthead.content.contenttype import ContentType
from masthead.history.verifying import verify
from masthead.instance import Instance
from masthead.testing.desk import Desk

Ways = dict[str, Callable[[Desk, int], object]]
TAKING_DOWN: Ways = {
    "an update": lambda desk, item: desk.edit(item, published=False),
    "many at once": lambda desk, item: desk.bulk("unpublish", [item]),
}
ENDING: Ways = {
    **TAKING_DOWN,
    "an edit": lambda desk, item: desk.edit(item, title="Edited again"),
    "a withdrawal": lambda desk, item: desk.withdraw(item),
    "withdrawing many": lambda desk, item: desk.move_many("withdraw", [item]),
    "dropping the edit": lambda desk, item: desk.drop_staged(item),
    "deleting it": lambda desk, item: desk.delete(item),
    "deleting many": lambda desk, item: desk.bulk("delete", [item]),
    "an approval": lambda desk, item: desk.as_role("admin").approve(item),
    "a rejection": lambda desk, item: desk.as_role("admin").reject(item),
}
"""The ways in which the request of a staged edit ends."""
TAKING_BACK = {*TAKING_DOWN, "an edit", "a withdrawal", "withdrawing many"}
"""Those that need a new request."""


class ApproverContract:
    """The tests of a content type's requests, and of the work of its approvers."""

    content_type: ContentType

    @abstractmethod
    def first(self, *names: str) -> dict[str, Any]:
        """Return values for these fields, by default for all except the schedule."""

    def test_a_withdrawn_request_is_a_draft_with_its_comments(self, desk: Desk) -> None:
        item = desk.create(**self.first())
        comments = f"/api/staff/comments/{self.content_type.name}/{item['id']}"
        desk.client.post_json(comments, {"text": "Wait"})

        desk.request(item["id"])
        assert desk.withdraw(item["id"]) == {"success": True}

        assert desk.show(item["id"])["approvalStatus"] == "draft"
        assert [each["text"] for each in desk.client.get(comments).json] == ["Wait"]
        desk.delete(item["id"])
        desk.client.get(comments, status=404)

    @pytest.mark.parametrize("way", ENDING)
    def test_the_notifications_of_a_request_that_ends_are_read(
        self, desk: Desk, make_user: Callable[..., Any], way: str
    ) -> None:
        approver, requester = (desk.as_user(make_user(role=it)) for it in ("admin", "editor"))
        item = self._requested(desk, requester)
        kept = requester.create(**self.first())["id"]
        requester.request(kept)
        assert _told(approver, "approval_request") == [kept, item]

        ENDING[way](desk, item)

        assert _told(approver, "approval_request") == [kept]
        assert _told(requester, "approval_returned") == [item] * (way in TAKING_BACK)

    @pytest.mark.parametrize("way", TAKING_DOWN)
    def test_an_approval_does_not_undo_a_later_takedown(self, desk: Desk, way: str) -> None:
        item, approver = self._requested(desk, desk), desk.as_role("admin")

        TAKING_DOWN[way](approver, item)

        assert approver.approve(item, status=400)["error"] == "Not pending approval"
        shown = desk.show(item)
        assert (shown["approvalStatus"], shown["published"]) == ("draft", False)
        assert desk.public_list() == []
        assert desk.publish(item)["published"] is True

    def test_an_urgent_fix_goes_live_beside_an_edit_that_keeps_its_own_values(
        self, desk: Desk, instance: Instance
    ) -> None:
        approver = desk.as_role("admin")
        tags = [_tag(approver, name) for name in ("Water", "Air")]
        item = desk.create_public(**self.first(), tagIds=tags[:1])
        desk.edit(item["id"], title="Theirs")
        desk.request(item["id"])
        fix: dict[str, Any] = {"title": "Fixed", "description": "Fixed", "tagIds": tags}

        shown = approver.edit(item["id"], **fix, live=True)

        public = desk.public_item(shown["live"]["slug"])
        assert (public["title"], public["description"]) == ("Fixed", "Fixed")
        assert shown["live"] == shown["live"] | fix
        assert (shown["title"], shown["description"]) == ("Theirs", "Fixed")
        assert sorted(tag["id"] for tag in shown["tags"]) == tags
        assert (shown["approvalStatus"], shown["staged"]) == ("pending", True)
        approved = verify(instance)
        assert (approved.checked, approved.unrecorded, approved.deviations) == (1, 0, [])
        found = desk.client.get(f"/api/staff/{desk.content_type}/{item['id']}/revisions").json
        assert [each["copy"] for each in found[:3]] == ["staged", "live", "staged"]
        approver.approve(item["id"])
        public = desk.public_item(desk.show(item["id"])["slug"])
        assert (public["title"], public["description"]) == ("Theirs", "Fixed")
        assert verify(instance).deviations == []
        desk.edit(item["id"], title="Not mine to make live", live=True, status=403)

    def test_a_duplicate_is_a_draft_with_the_values_that_staff_see(
        self, desk: Desk, make_user: Callable[..., Any]
    ) -> None:
        tags = [_tag(desk.as_role("admin"), name) for name in ("Water", "Air")]
        values = {**self.first(), "lang": "en", "slug": "chosen"}
        later = "2036-01-01T00:00:00.000Z"
        item = desk.create_public(**values, tagIds=tags[:1], scheduledPublishAt=later)
        shown = desk.edit(item["id"], description="Edited", tagIds=tags)
        somebody = make_user("ben")

        copy = desk.as_user(somebody).duplicate(item["id"])

        assert copy["title"] == f"{shown['title']} (copy)"
        assert (copy["approvalStatus"], copy["published"], copy["staged"]) == (
            "draft",
            False,
            False,
        )
        assert copy["scheduledPublishAt"] is None
        assert copy["slug"] not in ("chosen", shown["slug"])
        assert copy["createdBy"]["username"] == "ben"
        given = {"title", "slug", "scheduledPublishAt", self.content_type.first_published}
        same = [f.name for f in self.content_type.fields if f.name not in given]
        assert {n: copy[n] for n in same} == {n: shown[n] for n in same}
        assert copy["tags"] == shown["tags"]
        assert desk.show(item["id"]) == shown
        again = desk.duplicate(copy["id"])
        assert again["id"] > copy["id"]
        desk.duplicate(again["id"] + 1, status=404)

    def _requested(self, desk: Desk, requester: Desk) -> int:
        """Return the id of a published item with an edit whose approval is requested."""
        item_id: int = desk.create_public(**self.first())["id"]
        desk.edit(item_id, title="Edited")
        requester.request(item_id)
        return item_id


def _tag(desk: Desk, name: str) -> int:
    tag_id: int = desk.client.post_json("/api/staff/tags", {"name": name}).json["id"]
    return tag_id


def _told(desk: Desk, kind: str) -> list[int]:
    """Return the ids of the items of a user's unread notifications of one type, newest first."""
    told = desk.client.get("/api/staff/notifications?unreadOnly=true").json
    return [each["contentId"] for each in told if each["type"] == kind]
