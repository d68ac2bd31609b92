"""The tests of the previews of every content type."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from masthead.content.shapes import UPDATED
from masthead.testing.desk import Desk


class PreviewContract:
    """The tests of a content type's previews, which show what an approval makes public."""

    @abstractmethod
    def first(self, *names: str) -> dict[str, Any]:
        """Return values for these fields, by default for all except the schedule."""

    @abstractmethod
    def second(self, *names: str) -> dict[str, Any]:
        """Return other values for the same fields."""

    def test_a_preview_shows_what_an_approval_makes_public(self, desk: Desk) -> None:
        other = desk.create(**self.second())
        item = desk.create(**self.first())
        self._assert_previewed(desk, item["id"])
        desk.edit(item["id"], **self.second())

        self._assert_previewed(desk, item["id"])
        assert desk.preview(other["id"])["id"] == other["id"]

    def _assert_previewed(self, desk: Desk, item_id: int) -> None:
        """Compare the preview with the public answer after an approval."""
        before = desk.show(item_id), desk.public_list()
        shown = desk.preview(item_id)
        assert (desk.show(item_id), desk.public_list()) == before
        public = desk.public_item(desk.publish(item_id)["slug"])
        times = {name for name in (UPDATED, "publishedAt") if name in public}
        assert shown == public | {name: shown[name] for name in times}
