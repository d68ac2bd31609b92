"""The tests of withdrawn requests and of comments, for every content type."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from masthead.content.contenttype import ContentType
from masthead.testing.desk import Desk


class WorkflowContract:
    """The tests of the work of staff on an item before its approval."""

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
        assert item["id"] not in {each["id"] for each in desk.public_list()}
        desk.delete(item["id"])
        desk.client.get(comments, status=404)
