"""Short methods for the requests of staff and visitors to one content type."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from masthead.auth.models import User
from masthead.testing.client import Client


class Desk:
    """A client for one content type; each method returns the parsed response.

    Methods expect success unless ``status`` names another status. ``values`` are the members of the
    body by wire name, ``query`` holds the query parameters.
    """

    def __init__(self, client: Client, content_type: str) -> None:
        self.client = client
        self.content_type = content_type
        self._public = f"/api/{content_type}"
        self._staff = f"/api/staff/{content_type}"

    def as_role(self, name: str) -> Desk:
        """Return a desk that is authenticated as a user with this role."""
        return Desk(self.client.as_role(name), self.content_type)

    def as_user(self, user: User) -> Desk:
        """Return a desk that is authenticated as a user."""
        return Desk(self.client.as_user(user), self.content_type)

    def create(self, *, status: int = 200, **values: Any) -> Any:
        """Create a draft; the default title is ``A title``."""
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
        """Return an item as staff see it."""
        return self.client.get(f"{self._staff}/{item_id}", status=status).json

    def etag(self, item_id: int) -> str:
        """Return the ETag of an item for staff."""
        return str(self.client.get(f"{self._staff}/{item_id}").headers["ETag"])

    def list(self, *, status: int = 200, **query: Any) -> Any:
        """Return all items as staff see them."""
        return self.client.get(self._staff, query, status=status).json

    def duplicate(self, item_id: int, *, status: int = 200) -> Any:
        """Create a copy of an item."""
        return self.client.post(f"{self._staff}/{item_id}/duplicate", status=status).json

    def delete(self, item_id: int, *, status: int = 200) -> Any:
        """Delete an item."""
        return self.client.delete(f"{self._staff}/{item_id}", status=status).json

    def drop_staged(self, item_id: int, *, status: int = 200) -> Any:
        """Drop an item's staged edits."""
        return self.client.delete(f"{self._staff}/{item_id}/staged", status=status).json

    def bulk(self, operation: Any, ids: Any, *, status: int = 200) -> Any:
        """Apply a bulk operation to items."""
        body = {"operation": operation, "ids": ids}
        return self.client.post_json(f"{self._staff}/bulk", body, status=status).json

    def request(self, item_id: Any, *, status: int = 200, **values: Any) -> Any:
        """Request approval of an item."""
        return self._move("request", item_id, status, values)

    def approve(self, item_id: Any, *, status: int = 200, **values: Any) -> Any:
        """Approve an item."""
        return self._move("approve", item_id, status, values)

    def reject(self, item_id: Any, *, status: int = 200, **values: Any) -> Any:
        """Reject an item."""
        return self._move("reject", item_id, status, values)

    def withdraw(self, item_id: Any, *, status: int = 200) -> Any:
        """Withdraw the request of an item."""
        return self._move("withdraw", item_id, status, {})

    def move_many(
        self, operation: str, ids: Iterable[int], *, status: int = 200, **values: Any
    ) -> Any:
        """Request, approve or reject items at once."""
        items = [{"contentType": self.content_type, "contentId": each} for each in ids]
        body = {"operation": operation, "items": items, **values}
        return self.client.post_json("/api/staff/approval/bulk", body, status=status).json

    def publish(self, item_id: int) -> Any:
        """Request approval of an item and approve it as an administrator.

        :returns: the approved item as staff see it.
        """
        self.request(item_id)
        self.as_role("admin").approve(item_id)
        return self.show(item_id)

    def create_public(self, **values: Any) -> Any:
        """Create and publish an item."""
        return self.publish(self.create(**values)["id"])

    def preview(self, item_id: int) -> Any:
        """Return an item as the holder of a preview link sees it."""
        token = self.client.post_json(f"{self._staff}/{item_id}/preview", {}).json["token"]
        return self.client.post_json("/api/preview", {"token": token}).json["item"]

    def public_list(self, *, status: int = 200, **query: Any) -> Any:
        """Return the public list."""
        return self.client.get(self._public, query, status=status).json

    def public_item(self, slug: str, *, status: int = 200, **query: Any) -> Any:
        """Return a public item."""
        return self.client.get(f"{self._public}/{slug}", query, status=status).json

    def related(self, item_id: int, *, status: int = 200) -> Any:
        """Return the related public items of an item."""
        return self.client.get(f"{self._public}/{item_id}/related", status=status).json

    def _move(self, name: str, item_id: Any, status: int, values: dict[str, Any]) -> Any:
        body = {"contentType": self.content_type, "contentId": item_id, **values}
        return self.client.post_json(f"/api/staff/approval/{name}", body, status=status).json
