"""Answers show references as far as their reader sees the other items, and embed these."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from masthead import ContentType, Instance
from masthead.content.public_reader import PublicReader
from masthead.testing import Client, Clock, Desk


def test_the_public_sees_references_to_public_items_only(
    clock: Clock, venues: Desk, concerts: Desk, make_band: Any, admin: Client
) -> None:
    soon = "2026-03-01T10:00:00.000Z"
    hall = venues.create_public(scheduledPublishAt=soon)["id"]
    one, two = make_band("One"), make_band("Two", published=False)
    ids = [two["id"], one["id"]]
    item = concerts.create_public(venueId=hall, bandIds=ids, secretId=hall)

    def shown() -> list[tuple[Any, Any]]:
        answers = concerts.public_list(), [concerts.public_item(item["slug"])]
        answers = *answers, concerts.public_list(sort="title")
        assert not any("secretId" in each for [each] in answers)
        return [(each["venueId"], each["bandIds"]) for [each] in answers]

    assert shown() == [(None, [one["id"]])] * 3
    clock.move_to(soon)
    assert shown() == [(hall, [one["id"]])] * 3
    admin.put_json(f"/api/staff/bands/{two['id']}", {"published": True})
    venues.edit(hall, published=False)
    assert shown() == [(None, ids)] * 3
    admin.put_json(f"/api/staff/bands/{one['id']}", {"venueId": hall})
    assert admin.get("/api/bands").json[0]["venueId"] is None
    venues.edit(hall, published=True)
    assert [each["venueId"] for each in admin.get("/api/bands").json].count(hall) == 1


def test_an_answer_about_an_item_depends_on_others_of_its_kind(concerts: Desk) -> None:
    sequel = concerts.create_public(title="Sequel")["id"]
    slug = concerts.create_public(sequelId=sequel)["slug"]
    assert concerts.public_item(slug)["sequelId"] == sequel

    concerts.edit(sequel, published=False)

    assert concerts.public_item(slug)["sequelId"] is None


def test_items_are_embedded_for_the_public(
    venues: Desk, concerts: Desk, make_band: Any, app: Client
) -> None:
    hall, draft = venues.create_public(title="Hall")["id"], venues.create()["id"]
    one, two = make_band("One", venueId=hall)["id"], make_band("Two", venueId=draft)["id"]
    concerts.create_public(title="A", venueId=hall, bandIds=[two, one], secretId=hall)
    item = concerts.create_public(title="B", venueId=draft, sequelId=1)

    plain = concerts.public_list(sort="title")
    both = concerts.public_list(sort="title", embed="bands,venue")
    chosen = concerts.public_item(item["slug"], fields="title", embed="sequel")
    of_bands = app.get("/api/bands", {"embed": "venue", "fields": "name"}).json

    assert [list(each)[-2:] for each in both] == [["bands", "venue"]] * 2
    assert [{**each, "bands": 0, "venue": 0} for each in plain] == [
        {**each, "bands": 0, "venue": 0} for each in both
    ]
    [listed] = app.get("/api/venues").json
    assert [each["venue"] for each in both] == [listed, None]
    assert [[band["name"] for band in each["bands"]] for each in both] == [["Two", "One"], []]
    assert (list(chosen), chosen["sequel"]["venueId"]) == (["title", "sequel"], hall)
    assert sorted((each["name"], each["venue"]) for each in of_bands)[0] == ("One", listed)
    assert [each["venue"] for each in of_bands].count(None) == 1
    answer = concerts.public_list(embed="secret", status=400)
    assert answer["error"] == "embed: Must be one of venue, bands, sequel"


def test_staff_get_embedded_items_that_they_may_read(
    venues: Desk,
    concerts: Desk,
    make_band: Any,
    make_role: Callable[..., Any],
) -> None:
    draft = venues.create(title="Draft")["id"]
    make_band("One", venueId=draft)
    item = concerts.create_public()["id"]
    concerts.edit(item, venueId=draft, secretId=draft, stage=True)
    make_role("caller", "concerts.read")
    caller = concerts.as_role("caller")

    [listed] = concerts.list(embed="venue,secret")
    one = concerts.client.get(f"/api/staff/concerts/{item}", {"embed": "venue"}).json
    [of_caller] = caller.list(embed="venue")
    [band] = concerts.client.get("/api/staff/bands", {"embed": "venue"}).json
    shown = concerts.client.get(f"/api/staff/bands/{band['id']}", {"embed": "venue"}).json

    assert listed["venue"]["title"] == listed["secret"]["title"] == "Draft"
    assert one["venue"] == listed["venue"] == band["venue"] == shown["venue"]
    assert (of_caller["venueId"], of_caller["venue"]) == (draft, None)
    assert concerts.list(embed="bend", status=400)["error"].startswith("embed: Must be one of")


def test_lists_are_filtered_by_references(
    venues: Desk, concerts: Desk, make_band: Any, app: Client
) -> None:
    hall, draft = venues.create_public()["id"], venues.create()["id"]
    one, two = make_band("One", venueId=hall)["id"], make_band("Two", venueId=draft)["id"]
    concerts.create_public(title="A", venueId=hall, bandIds=[one, two])
    staged = concerts.create_public(title="B", venueId=draft, bandIds=[two])["id"]
    concerts.edit(staged, venueId=hall, bandIds=[], stage=True)

    def titles(items: Any) -> str:
        return "".join(sorted(each["title"] for each in items))

    assert titles(concerts.public_list(venueId=hall)) == "A"
    assert titles(concerts.public_list(venueId=draft)) == ""
    assert titles(concerts.public_list(bandIds=two)) == "AB"
    assert titles(concerts.public_list(bandIds=f"{one},99", venueId=hall)) == "A"
    assert titles(concerts.public_list(secretId=draft)) == "AB"
    assert titles(concerts.list(venueId=hall)) == "AB"
    assert titles(concerts.list(venueId=draft)) == ""
    assert titles(concerts.list(bandIds=two, sort="title")) == "A"
    answer = app.get("/api/concerts", {"venueId": hall})
    assert answer.headers["X-Total-Count"] == "1"
    assert [each["name"] for each in app.get("/api/bands", {"venueId": hall}).json] == ["One"]
    assert app.get("/api/bands", {"venueId": draft}).json == []
    of_staff = app.as_role("admin").get("/api/staff/bands", {"venueId": draft}).json
    assert [each["name"] for each in of_staff] == ["Two"]
    assert concerts.public_list(venueId="x", status=400)["error"].startswith("venueId: ")


def test_a_preview_and_a_reader_show_what_the_public_sees(
    venues: Desk, concerts: Desk, instance: Instance, concerts_type: ContentType
) -> None:
    hall, draft = venues.create_public()["id"], venues.create()["id"]
    item = concerts.create_public(venueId=draft)["id"]
    reader = PublicReader(concerts_type, instance.database, ["id", "venueId", "bandIds"])

    def read() -> list[dict[str, Any]]:
        with instance.database.read() as connection:
            return reader.read_newest(connection, 5)

    assert read() == [{"id": item, "venueId": None, "bandIds": []}]
    concerts.edit(item, venueId=hall, stage=True)
    assert concerts.preview(item)["venueId"] == hall
    concerts.publish(item)
    assert read() == [{"id": item, "venueId": hall, "bandIds": []}]


def test_forms_learn_the_kind_of_the_other_items(admin: Client) -> None:
    types = {each["name"]: each for each in admin.get("/api/staff/types").json}
    fields = {each["name"]: each for each in types["concerts"]["fields"]}

    one, several = fields["venueId"], fields["bandIds"]
    assert (one["kind"], one["widget"], one["target"]) == ("reference", "reference", "venues")
    assert (several["kind"], several["target"]) == ("references", "bands")
    assert (several["maxLength"], several["element"]) == (100, None)
    assert fields["title"]["target"] is None
    filters = {each["name"]: each["target"] for each in types["concerts"]["filters"]}
    assert (filters["venueId"], filters["tag"]) == ("venues", None)
