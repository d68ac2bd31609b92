"""A reference to an item that doesn't exist is refused, by whichever way it is written."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from masthead import (
    ContentType,
    Instance,
    ListOf,
    Object,
    Ref,
    Refs,
    StartError,
    field,
    required,
    schema,
)
from masthead.content.jsonl_import import content_importer
from masthead.references.fields import check_references
from masthead.resources.jsonl import import_lines
from masthead.testing import Client, Clock, Desk

Lose = Callable[[int], None]


def problems(answer: Any) -> list[tuple[str, str]]:
    return [(each["path"], each["code"]) for each in answer["fields"]]


def test_unknown_ids_are_refused_with_their_fields(
    admin: Client, venues: Desk, concerts: Desk, make_band: Any
) -> None:
    band = make_band("One")["id"]
    concert = concerts.create()["id"]

    made = concerts.create(venueId=99, bandIds=[77, band, 78], sequelId=concert + 9, status=400)
    edited = concerts.edit(concert, venueId=99, status=400)
    copied = admin.post_json("/api/staff/bands", {"name": "A", "venueId": 5}, status=400).json
    wrong = concerts.create(venueId="3", bandIds=[None, 0], status=400)

    assert sorted(problems(made)) == [
        ("bandIds.0", "unknown_id"),
        ("bandIds.2", "unknown_id"),
        ("sequelId", "unknown_id"),
        ("venueId", "unknown_id"),
    ]
    assert edited["error"] == "venueId: There is no item 99 of venues"
    assert problems(copied) == [("venueId", "unknown_id")]
    assert {path for path, _ in problems(wrong)} == {"venueId", "bandIds.0", "bandIds.1"}
    assert len(concerts.list()) == 1
    assert venues.list() == []


def test_a_list_is_bounded_keeps_its_order_and_has_each_id_once(
    concerts: Desk, make_band: Any
) -> None:
    one, two = make_band("One")["id"], make_band("Two")["id"]

    item = concerts.create(bandIds=[two, one, two])

    assert item["bandIds"] == [two, one]
    answer = concerts.create(bandIds=[*range(1, 102)], status=400)
    assert problems(answer) == [("bandIds", "too_many")]


def test_a_staged_edit_is_checked_when_it_is_made_and_when_it_is_approved(
    lose: Lose, venues: Desk, concerts: Desk
) -> None:
    hall, other = venues.create()["id"], venues.create()["id"]
    item = concerts.create_public(venueId=hall)["id"]
    refused = concerts.edit(item, venueId=other + 9, stage=True, status=400)
    concerts.edit(item, venueId=other, stage=True)
    lose(other)
    concerts.request(item)

    answer = concerts.approve(item, status=400)

    assert problems(refused) == problems(answer) == [("venueId", "unknown_id")]
    failed = concerts.move_many("approve", [item])["failed"]
    assert [(each["id"], each["code"]) for each in failed] == [(item, "unknown_id")]
    assert concerts.edit(item, title="New", stage=True)["venueId"] == other
    assert concerts.edit(item, venueId=None, stage=True)["venueId"] is None


def test_an_edit_that_becomes_live_by_itself_loses_what_is_gone(
    clock: Clock, lose: Lose, venues: Desk, concerts: Desk
) -> None:
    hall = venues.create()["id"]
    item = concerts.create_public()
    due = "2026-03-01T10:00:00.000Z"
    concerts.edit(item["id"], title="Later", venueId=hall, scheduledPublishAt=due, stage=True)
    concerts.publish(item["id"])
    lose(hall)

    clock.move_to("2026-03-01T10:00:01Z")

    [shown] = concerts.public_list()
    assert (shown["title"], shown["venueId"]) == ("Later", None)
    assert concerts.show(item["id"])["venueId"] is None


def test_an_import_of_lines_names_the_field_and_the_id(
    instance: Instance, concerts: Desk, concerts_type: ContentType
) -> None:
    lines = [{"title": "Good"}, {"title": "Bad", "venueId": 99}]
    texts = [json.dumps(line).encode() for line in lines]

    found = list(
        import_lines(instance, content_importer(concerts_type), texts, publish=True, actor=None)
    )

    errors = [line.error for line in found]
    assert errors == [None, "venueId: There is no item 99 of venues"]
    assert [each["title"] for each in concerts.list()] == ["Good"]


def test_a_restored_revision_leaves_out_what_is_gone(
    admin: Client, lose: Lose, venues: Desk, concerts: Desk, make_band: Any
) -> None:
    hall = venues.create(title="Hall")["id"]
    one, two = make_band("One")["id"], make_band("Two")["id"]
    item = concerts.create_public(venueId=hall, bandIds=[one, two])["id"]
    concerts.edit(item, venueId=None, bandIds=[], title="New")
    path = f"/api/staff/concerts/{item}/revisions"
    differences = admin.get(f"{path}/compare", {"from": 2, "to": 1}).json["differences"]
    lose(hall)
    admin.delete(f"/api/staff/bands/{one}")

    restored = admin.post_json(f"{path}/1/restore", {}).json

    named = {each["field"]: each["after"] for each in differences if each["kind"] == "reference"}
    assert named["venueId"] == {"id": hall, "name": "Hall"}
    assert [each["name"] for each in named["bandIds"]] == ["One", "Two"]
    lost = {each["field"]: each["message"] for each in restored["unfit"]}
    assert lost == {
        "venueId": "Does not exist any more: Hall",
        "bandIds": "Does not exist any more: One",
    }
    after = concerts.show(item)
    assert (after["title"], after["venueId"], after["bandIds"]) == ("A title", None, [two])


def test_a_copy_leaves_out_what_is_gone(
    lose: Lose, venues: Desk, concerts: Desk, make_band: Any
) -> None:
    hall, other = venues.create()["id"], venues.create()["id"]
    band = make_band("One")["id"]
    item = concerts.create(venueId=hall, secretId=other, bandIds=[band])["id"]
    lose(hall)

    copied = concerts.duplicate(item)

    assert (copied["venueId"], copied["secretId"], copied["bandIds"]) == (None, other, [band])


@pytest.mark.parametrize(
    ("taken", "message"),
    [
        ({"venue"}, "concerts: venue is the name of another value; give venueId a name"),
        ({"bands"}, "concerts: bands is the name of another value; give bandIds a name"),
    ],
)
def test_names_of_embedded_items_are_free(
    concerts_type: ContentType, taken: set[str], message: str
) -> None:
    with pytest.raises(StartError, match=message):
        check_references("concerts", concerts_type.fields, taken)


def test_a_wrong_declaration_stops_the_start(concerts_type: ContentType) -> None:
    with pytest.raises(StartError, match="can't hold passwords or references within lists"):
        field(Object(schema({"venueId": required(Ref("venues"))})))
    with pytest.raises(StartError, match="can't hold passwords or references within lists"):
        field(ListOf(Refs("venues")))
    [venue] = (each for each in concerts_type.fields if each.name == "venueId")
    needed = replace(venue, required=True, kind=Ref("venues", on_delete="clear"))
    with pytest.raises(StartError, match="concerts: a required venueId can't be cleared"):
        check_references("concerts", [needed], ())


def test_both_types_are_integers_for_clients() -> None:
    assert Ref("venues").schema() == {"type": "integer", "format": "int64", "minimum": 1}
    assert Refs("venues", max_length=5).schema()["maxItems"] == 5
