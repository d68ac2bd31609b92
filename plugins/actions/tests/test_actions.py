"""The fields, the order and the slugs of actions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from masthead import User
from masthead.testing import Client, Desk

PUBLIC = {
    "id",
    "title",
    "slug",
    "description",
    "lang",
    "dir",
    "content",
    "icon",
    "gradientClass",
    "accentClass",
    "link",
    "coverImageUrl",
    "displayOrder",
    "tags",
    "author",
}
RELATED = PUBLIC - {"lang", "dir", "content", "link", "displayOrder", "tags", "author"}
APPROVAL = {
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
VALUES = {
    "title": "Plant a tree",
    "description": "In your street",
    "content": "<p>How and where</p>",
    "icon": "TreePine",
    "gradientClass": "from-green-500 to-teal-600",
    "accentClass": "text-green-700",
    "link": "https://example.org/trees",
    "coverImageUrl": "/api/images/images/1-a.jpg",
    "displayOrder": 7,
}
PLACES = st.integers(-2, 2) | st.sampled_from([-(2**63), 2**63 - 1])


def ids(items: list[dict[str, Any]]) -> list[int]:
    return [item["id"] for item in items]


def test_each_endpoint_shows_its_fields_and_no_others(
    desk: Desk, make_tag: Callable[[str], Any]
) -> None:
    tag = make_tag("Trees")
    item = desk.create_public(**VALUES, tagIds=[tag["id"]])
    desk.create_public(**VALUES, tagIds=[tag["id"]])

    [related] = desk.related(item["id"])

    further = {"updatedAt", "coverImage"}
    assert item.keys() == (PUBLIC - {"author"}) | APPROVAL | {"live"}
    assert desk.list()[0].keys() == item.keys() - {"content", "live", "tags"}
    assert desk.public_list()[0].keys() == desk.public_item(item["slug"]).keys()
    assert desk.public_list()[0].keys() == PUBLIC | further
    assert related.keys() == RELATED | {"coverImage"}
    shown = {**VALUES, "id": item["id"], "slug": "plant-a-tree", "tags": [tag], "author": None}
    shown |= {"lang": None, "dir": None}
    listed = desk.public_list()[0]
    assert listed == desk.public_item("plant-a-tree")
    assert listed == shown | {name: listed[name] for name in further}


def test_a_title_is_all_that_an_action_needs(desk: Desk) -> None:
    item = desk.create()

    assert item["displayOrder"] == 0
    assert {item[name] for name in VALUES if name not in ("title", "displayOrder")} == {None}
    assert desk.create(title=" ", status=400)["error"] == "title: Required"


def test_actions_are_ordered_by_display_order_and_then_by_id(
    app: Client, desk: Desk, make_tag: Callable[[str], Any]
) -> None:
    tag = make_tag("Trees")
    made = [desk.create_public(tagIds=[tag["id"]])["id"] for _ in range(5)]

    @settings(derandomize=True, max_examples=12, database=None)
    @given(st.lists(PLACES, min_size=len(made), max_size=len(made)))
    def follow(places: list[int]) -> None:
        for item_id, place in zip(made, places, strict=True):
            edited = desk.edit(item_id, displayOrder=place)
            assert (edited["displayOrder"], edited["staged"]) == (place, False)

        wanted = [item_id for _, item_id in sorted(zip(places, made, strict=True))]
        assert ids(desk.list()) == ids(desk.public_list()) == wanted
        assert ids(desk.public_list(tag="trees")) == wanted
        pages = [app.get("/api/actions", {"limit": 2, "offset": n}).json for n in (0, 2, 4)]
        assert [item_id for page in pages for item_id in ids(page)] == wanted

    follow()


def test_display_order_is_an_integer_and_null_means_0(desk: Desk) -> None:
    item = desk.create(displayOrder=3)["id"]

    for wrong in ("1", 1.5, True, 2**63, [], {}):
        assert "displayOrder" in desk.edit(item, displayOrder=wrong, status=400)["error"]
    assert desk.show(item)["displayOrder"] == 3
    assert desk.edit(item, displayOrder=None)["displayOrder"] == 0


def test_a_slug_comes_with_the_first_approval_and_stays(desk: Desk) -> None:
    item = desk.create(title="Save the bees")
    assert item["slug"] is None
    desk.request(item["id"])
    assert desk.show(item["id"])["slug"] is None
    desk.as_role("admin").reject(item["id"])
    assert desk.show(item["id"])["slug"] is None

    # The slug is made from the title at the time of the approval.
    desk.edit(item["id"], title="Save the bumblebees")
    assert desk.publish(item["id"])["slug"] == "save-the-bumblebees"

    desk.edit(item["id"], title="Save the wasps")
    assert desk.publish(item["id"])["slug"] == "save-the-bumblebees"
    desk.edit(item["id"], published=False)
    desk.edit(item["id"], title="Save the hornets")
    assert desk.publish(item["id"])["slug"] == "save-the-bumblebees"


def test_actions_of_one_title_get_a_slug_each_in_the_order_of_their_approval(desk: Desk) -> None:
    first, second = desk.create(), desk.create()

    assert desk.publish(second["id"])["slug"] == "a-title"
    assert desk.publish(first["id"])["slug"] == "a-title-2"


def test_the_label_is_in_the_notification_of_approvers(desk: Desk) -> None:
    chief = desk.as_role("admin")
    item = desk.create(title="Plant a tree")
    desk.request(item["id"])

    [notice] = chief.client.get("/api/staff/notifications").json

    assert notice["title"] == "Approval Request: Action"
    assert (notice["contentType"], notice["contentId"]) == ("actions", item["id"])


def test_the_author_is_shown_by_the_name_they_chose(
    desk: Desk, make_user: Callable[..., User]
) -> None:
    ada = make_user("ada", display_name="Ada L.")

    item = desk.as_user(ada).create_public()

    assert item["createdBy"] == {"id": ada.id, "username": "ada", "displayName": "Ada L."}
    shown = {"displayName": "Ada L."}
    assert [each["author"] for each in desk.public_list()] == [shown]
    assert desk.public_item(item["slug"])["author"] == shown


def test_a_rejection_and_a_schedule_show_in_the_staff_list(desk: Desk) -> None:
    item = desk.create(scheduledPublishAt="2036-01-01T00:00:00.000Z")
    desk.request(item["id"])
    desk.as_role("admin").reject(item["id"], reason="Too soon")

    [shown] = desk.list()

    assert (shown["rejectionReason"], shown["approvalStatus"]) == ("Too soon", "rejected")
    assert shown["rejectedAt"] >= item["createdAt"]
    assert shown["rejectedBy"] is not None
    assert shown["scheduledPublishAt"] == "2036-01-01T00:00:00.000Z"


def test_an_unchanged_answer_is_a_304(app: Client, desk: Desk) -> None:
    item = desk.create_public(title="One")

    for path in ("/api/actions", "/api/actions/one", f"/api/actions/{item['id']}/related"):
        etag = app.get(path).headers["ETag"]
        assert app.get(path, headers={"If-None-Match": etag}, status=304).body == b""


def test_unknown_items_and_invalid_values_are_refused(app: Client, desk: Desk) -> None:
    item = desk.create_public()["id"]

    for limit in ("0", "-1", "x", "1.5"):
        assert "limit" in desk.public_list(limit=limit, status=400)["error"]
        assert "limit" in desk.list(limit=limit, status=400)["error"]
    for wrong in ("x", "0", str(2**63)):
        app.get(f"/api/actions/{wrong}/related", status=404)
    assert desk.public_item("nothing", status=404)["error"]
    assert "operation" in desk.bulk("approve", [item], status=400)["error"]
    assert "ids" in desk.bulk("delete", ["1"], status=400)["error"]
    desk.edit(999, title="Nothing", status=404)
    desk.edit(item, status=412, if_match='"77"', title="Stale")
    assert desk.show(item)["title"] == "A title"
