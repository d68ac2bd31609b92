"""What staff and visitors do to the items of one content type, in one word each."""

from __future__ import annotations

from typing import Any

from masthead.auth.models import User
from masthead.testing.client import Client


class Desk:
    """A client's view of one content type; each method returns the parsed answer.

    Methods expect a success; ``status`` names what else a test expects. ``values`` are members of
    the body by wire name, ``query`` is the address's.
    """

    def __init__(self, client: Client, content_type: str) -> None:
        self.client = client
        self.content_type = content_type
        self._public = f"/api/{content_type}"
        self._staff = f"/api/staff/{content_type}"

    def as_role(self, name: str) -> Desk:
        """The same desk, with some holder of a role at it."""
        return Desk(self.client.as_role(name), self.content_type)

    def as_user(self, user: User) -> Desk:
        """The same desk, with a user at it."""
        return Desk(self.client.as_user(user), self.content_type)

    def create(self, *, status: int = 200, **values: Any) -> Any:
        """Make a draft, titled ``A title`` unless said otherwise."""
        body = {"title": "A title", **values}
        return self.client.post_json(self._staff, body, status=status).json

    def edit(
        self, item_id: int, *, status: int = 200, if_match: str | None = None, **values: Any
    ) -> Any:
        """Change an item."""
        headers = {} if if_match is None else {"If-Match": if_match}
        path = f"{self._staff}/{item_id}"
        return self.client.put_json(path, values, headers=headers, status=status).json

    def show(self, item_id: int, *, status: int = 200) -> Any:
        """One item as staff see it."""
        return self.client.get(f"{self._staff}/{item_id}", status=status).json

    def etag(self, item_id: int) -> str:
        """The ETag that staff get with an item."""
        return str(self.client.get(f"{self._staff}/{item_id}").headers["ETag"])

    def list(self, *, status: int = 200, **query: Any) -> Any:
        """All items as staff see them."""
        return self.client.get(self._staff, query, status=status).json

    def delete(self, item_id: int, *, status: int = 200) -> Any:
        """Delete an item for good."""
        return self.client.delete(f"{self._staff}/{item_id}", status=status).json

    def drop_staged(self, item_id: int, *, status: int = 200) -> Any:
        """Drop an item's staged edits."""
        return self.client.delete(f"{self._staff}/{item_id}/staged", status=status).json

    def bulk(self, operation: Any, ids: Any, *, status: int = 200) -> Any:
        """Do one thing to many items."""
        body = {"operation": operation, "ids": ids}
        return self.client.post_json(f"{self._staff}/bulk", body, status=status).json

    def request(self, item_id: Any, *, status: int = 200, **values: Any) -> Any:
        """Ask for an item's approval."""
        return self._move("request", item_id, status, values)

    def approve(self, item_id: Any, *, status: int = 200, **values: Any) -> Any:
        """Approve an item."""
        return self._move("approve", item_id, status, values)

    def reject(self, item_id: Any, *, status: int = 200, **values: Any) -> Any:
        """Reject an item."""
        return self._move("reject", item_id, status, values)

    def publish(self, item_id: int) -> Any:
        """Ask for an item's approval and let the administrator approve it.

        :returns: the item as staff see it then.
        """
        self.request(item_id)
        self.as_role("admin").approve(item_id)
        return self.show(item_id)

    def create_public(self, **values: Any) -> Any:
        """Make an item and see it published."""
        return self.publish(self.create(**values)["id"])

    def public_list(self, *, status: int = 200, **query: Any) -> Any:
        """The list that visitors see."""
        return self.client.get(self._public, query, status=status).json

    def public_item(self, slug: str, *, status: int = 200) -> Any:
        """One item that visitors see."""
        return self.client.get(f"{self._public}/{slug}", status=status).json

    def related(self, item_id: int, *, status: int = 200) -> Any:
        """What visitors are shown beside an item."""
        return self.client.get(f"{self._public}/{item_id}/related", status=status).json

    def _move(self, name: str, item_id: Any, status: int, values: dict[str, Any]) -> Any:
        body = {"contentType": self.content_type, "contentId": item_id, **values}
        return self.client.post_json(f"/api/staff/approval/{name}", body, status=status).json
