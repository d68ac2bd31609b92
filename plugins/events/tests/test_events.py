"""The fields, the order and the related items of events."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from masthead import Plugin
from masthead.core_plugin import plugin as core
from masthead.testing import Client, Clock, Desk

START = "2026-05-02T18:00:00.000Z"
OWN = {
    "id",
    "title",
    "slug",
    "description",
    "lang",
    "dir",
    "startDate",
    "endDate",
    "location",
    "imageUrl",
    "link",
}
LISTED = OWN | {"tags", "author", "updatedAt", "image", "allDay"}
STAFF = OWN | {
    "scheduledPublishAt",
    "scheduledUnpublishAt",
    "visibility",
    "published",
    "approvalStatus",
    "approvalComment",
    "approvalRequestedAt",
    "approvalRequestedBy",
    "approvalRequestedByUser",
    "approvedAt",
    "approvedBy",
    "approvedByUser",
    "rejectedAt",
    "rejectedBy",
    "rejectedByUser",
    "rejectionReason",
    "staged",
    "createdAt",
    "updatedAt",
    "createdBy",
    "editedBy",
}


def test_each_endpoint_shows_its_fields_and_no_others(
    desk: Desk, make_tag: Callable[[str], Any]
) -> None:
    tags = [make_tag("Water")["id"]]
    item = desk.create_public(content="<p>Text</p>", startDate=START, tagIds=tags)
    desk.create_public(startDate=START, tagIds=tags)

    assert item.keys() == STAFF | {"content", "live", "tags"}
    assert desk.list()[0].keys() == STAFF
    assert desk.public_list()[0].keys() == LISTED
    assert desk.public_item(item["slug"]).keys() == LISTED | {"content"}
    assert desk.related(item["id"])[0].keys() == OWN | {"image", "allDay"}


def test_the_first_to_start_comes_first_and_then_the_lowest_id(desk: Desk) -> None:
    starts = ["2026-05-03", "2026-05-02", "2026-05-02", "2026-05-01", "2026-05-02"]
    ids = [desk.create_public(startDate=start)["id"] for start in starts]
    wanted = [ids[number] for number in (3, 1, 2, 4, 0)]

    for listed in (desk.public_list, desk.list):
        assert [item["id"] for item in listed()] == wanted
        assert [item["id"] for item in listed(limit=2, offset=2)] == wanted[2:4]


def test_a_list_has_all_events_unless_asked_otherwise(desk: Desk) -> None:
    for _ in range(3):
        desk.create_public(startDate=START)

    answer = desk.client.get("/api/events")

    assert len(answer.json) == 3
    assert answer.headers["X-Total-Count"] == "3"
    assert "Link" not in answer.headers


def test_of_events_that_share_a_tag_the_latest_come_first(
    desk: Desk, make_tag: Callable[[str], Any]
) -> None:
    tags = [make_tag("Water")["id"]]
    ids = [desk.create_public(startDate=f"2026-05-0{day}", tagIds=tags)["id"] for day in "13254"]

    assert [item["id"] for item in desk.related(ids[0])] == [ids[3], ids[4], ids[1]]


def test_approvers_are_notified_of_an_event(app: Client, desk: Desk) -> None:
    approver = app.as_role("admin")

    desk.request(desk.create(title="Open day", startDate=START)["id"])

    [notice] = approver.get("/api/staff/notifications").json

    assert notice["title"] == "Approval Request: Event"
    assert notice["contentType"] == "events"
    assert "Open day" in notice["message"]


def test_a_published_event_stays_so_when_its_date_changes(clock: Clock, desk: Desk) -> None:
    event = desk.create_public(startDate=START)
    clock.shift(days=1)

    moved = desk.as_role("admin").edit(event["id"], startDate="2026-06-02", endDate=None)

    assert (moved["published"], moved["approvalStatus"]) == (True, "approved")
    assert desk.public_list()[0]["startDate"] == "2026-06-02T00:00:00.000Z"


class TestDisabled:
    """An instance without the plugin doesn't know its addresses."""

    @pytest.fixture
    def plugins(self) -> list[Plugin]:
        return [core]

    def test_its_addresses_and_its_type_are_unknown(self, app: Client) -> None:
        for path in ("/api/events", "/api/feed/events.ics"):
            app.get(path, status=404)
        app.as_role("admin").get("/api/staff/events", status=404)
        body = {"contentType": "events", "contentId": 1}
        error = app.as_role("admin").post_json("/api/staff/approval/request", body, status=400)
        assert error.json["error"].startswith("contentType")
