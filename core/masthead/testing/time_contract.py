"""The tests of the times of every content type: items appear and vanish by themselves."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any

import pytest

from masthead.content.contenttype import ContentType
from masthead.content.public_reader import PublicReader
from masthead.db.types import utc_text
from masthead.instance import Instance
from masthead.testing.client import Client
from masthead.testing.clock import Clock
from masthead.testing.desk import Desk

_FAR = "2100-01-01T00:00:00.000Z"
_MOVED, _LATE = "2026-03-03T00:00:00.000Z", "2026-03-07T00:00:00.000Z"


class TimeContract:
    """The tests of a content type's times."""

    content_type: ContentType

    @abstractmethod
    def first(self, *names: str) -> dict[str, Any]:
        """Return values for these fields, by default for all except the times."""

    def test_a_scheduled_item_is_withheld_until_its_time(self, clock: Clock, app: Client) -> None:
        desk = Desk(app, self.content_type.name).as_role("editor")
        item = desk.create(**self.first(), scheduledPublishAt="2026-03-02T08:00:00.000Z")
        item = desk.publish(item["id"])

        clock.move_to("2026-03-02T07:59:59.999Z")
        self._assert_invisible(desk, item)
        assert [each["scheduledPublishAt"] for each in desk.list()] == ["2026-03-02T08:00:00.000Z"]

        clock.shift(milliseconds=1)
        assert desk.public_item(item["slug"])["id"] == item["id"]
        assert [each["id"] for each in desk.public_list()] == [item["id"]]

    def test_an_item_vanishes_at_its_time_and_returns_when_the_time_is_moved(
        self, clock: Clock, app: Client
    ) -> None:
        desk = Desk(app, self.content_type.name).as_role("admin")
        until = "2026-03-02T08:00:00.000Z"
        item = desk.create_public(**self.first(), scheduledUnpublishAt=until)

        self._assert_vanishing(clock, desk, item, "scheduledUnpublishAt", until)
        desk.edit(item["id"], scheduledUnpublishAt=None)
        assert desk.public_item(item["slug"])["id"] == item["id"]
        assert desk.show(item["id"])["visibility"] == "visible"
        if own := self.content_type.expires:
            until = "2026-03-03T08:00:00.000Z"
            edits: list[dict[str, Any]] = [{own: until}, {own: _FAR}]
            item = desk.edit(item["id"], **edits[0])
            self._assert_vanishing(clock, desk, item, own, until)
            desk.edit(item["id"], **edits[1])
            assert desk.public_item(item["slug"])["id"] == item["id"]

    def test_an_approval_holds_until_a_time(self, clock: Clock, app: Client) -> None:
        desk = Desk(app, self.content_type.name).as_role("admin")
        until = "2026-03-02T08:00:00.000Z"
        item = desk.create(**self.first(), scheduledPublishAt=until)
        desk.request(item["id"])
        for refused in ("2020-01-01", until):
            desk.approve(item["id"], until=refused, status=400)
        desk.edit(item["id"], scheduledPublishAt=None)
        # The edit of an approver leaves the request as it is.
        desk.approve(item["id"], until=until)

        [shown] = desk.list()
        assert (shown["approvalStatus"], shown["scheduledUnpublishAt"]) == ("approved", until)
        assert [each["id"] for each in desk.public_list()] == [item["id"]]
        clock.move_to(until)
        self._assert_invisible(desk, shown)

    @pytest.mark.parametrize("schedule", [None, "2026-03-06T00:00:00.000Z"])
    @pytest.mark.parametrize("staged", [False, True])
    def test_it_is_dated_by_the_schedule_that_came(
        self, clock: Clock, app: Client, instance: Instance, staged: bool, schedule: str | None
    ) -> None:
        desk = Desk(app, self.content_type.name).as_role("editor")
        item = desk.create_public(**self.first(), scheduledPublishAt="2026-03-05T00:00:00.000Z")

        clock.move_to(_MOVED)
        (desk if staged else desk.as_role("admin")).edit(item["id"], scheduledPublishAt=schedule)
        if staged:
            desk.publish(item["id"])

        clock.move_to(_LATE)
        assert self._first_seen(instance) == (schedule or _MOVED)
        desk.as_role("admin").edit(item["id"], scheduledPublishAt=_MOVED)
        assert self._first_seen(instance) == (schedule or _MOVED)

    @pytest.mark.parametrize("at_once", [False, True])
    @pytest.mark.parametrize("edited", [False, True])
    def test_what_is_taken_down_before_anybody_sees_it_is_dated_by_its_return(
        self, clock: Clock, app: Client, instance: Instance, edited: bool, at_once: bool
    ) -> None:
        desk = Desk(app, self.content_type.name).as_role("editor")
        item = desk.create_public(**self.first(), scheduledPublishAt="2026-03-05T00:00:00.000Z")
        if edited:
            desk.edit(item["id"], title="Edited before")

        clock.move_to(_MOVED)
        self._publish(desk, item["id"], False, at_once)
        clock.move_to(_LATE)
        if edited:
            desk.publish(item["id"])
        else:
            self._publish(desk, item["id"], True, at_once)

        assert self._first_seen(instance) == _LATE
        clock.shift(hours=1)
        self._publish(desk, item["id"], False, at_once)
        self._publish(desk, item["id"], True, at_once)
        assert self._first_seen(instance) == _LATE

    def _assert_invisible(
        self, desk: Desk, item: Mapping[str, Any], *, is_open: bool = False
    ) -> None:
        """Check that the public doesn't see an item, except for its detail if that stays open."""
        assert desk.public_list() == []
        assert desk.related(item["id"]) == []
        if is_open:
            assert desk.public_item(item["slug"])["expired"] is True
        elif item["slug"] is not None:
            desk.public_item(item["slug"], status=404)

    def _assert_vanishing(
        self, clock: Clock, desk: Desk, item: Mapping[str, Any], field: str, until: str
    ) -> None:
        """Check that the only item vanishes at the time in a field."""
        clock.move_to(until)
        clock.shift(milliseconds=-1)
        assert [each["id"] for each in desk.public_list()] == [item["id"]]
        clock.shift(milliseconds=1)
        is_open = self.content_type.keeps_detail and field == self.content_type.expires
        self._assert_invisible(desk, item, is_open=is_open)
        [shown] = desk.list(visibility="expired")
        assert (shown["published"], shown[field]) == (True, until)

    def _publish(self, desk: Desk, item_id: int, published: bool, at_once: bool) -> None:
        if at_once:
            desk.bulk("publish" if published else "unpublish", [item_id])
        else:
            desk.edit(item_id, published=published)

    def _first_seen(self, instance: Instance) -> str:
        """Return when the only item became public, as in feeds."""
        reader = PublicReader(self.content_type, instance.database, ["firstPublishedAt"])
        with instance.database.engine.connect() as connection:
            [item] = reader.read_newest(connection, 2)
        return utc_text(item["firstPublishedAt"])
