"""Computed fields of resources, and of embedded items."""

from __future__ import annotations

from typing import Any

from masthead.testing import Client, Desk


def test_a_resource_shows_computed_fields_to_staff_and_to_the_public(
    app: Client, admin: Client, venues: Desk, make_band: Any
) -> None:
    hall, draft = venues.create_public(title="Hall")["id"], venues.create()["id"]
    band = make_band("Trio", venueId=hall)
    make_band("Quartet", venueId=draft)
    shown = {"venueTitle": "Hall", "isShort": False}
    path = f"bands/{band['id']}"

    assert band == band | shown | {"loudName": "TRIO", "isHidden": False}
    assert admin.get(f"/api/staff/{path}").json == band
    changed = {"name": "Duo", "isShort": False, "venueTitle": "x"}
    assert admin.put_json(f"/api/staff/{path}", changed).json["isShort"] is True
    of_staff = {each["name"]: each for each in admin.get("/api/staff/bands").json}
    of_public = {each["name"]: each for each in app.get("/api/bands").json}
    alone = app.get(f"/api/{path}").json
    shown |= {"isShort": True}

    assert of_staff["Duo"] == of_staff["Duo"] | shown | {"isHidden": False}
    assert of_public["Duo"] == of_public["Duo"] | shown
    assert (of_staff["Quartet"]["venueTitle"], of_public["Quartet"]["venueTitle"]) == (None, None)
    assert not {"loudName", "isHidden"} & of_public["Duo"].keys()
    assert alone == of_public["Duo"] | {"loudName": "DUO"}
    chosen = app.get("/api/bands", {"fields": "isShort,venueTitle", "sort": "name"}).json
    assert chosen == [shown, {"venueTitle": None, "isShort": False}]
    with_loud = app.get("/api/bands", {"include": "loudName", "fields": ""}).json
    assert {each["loudName"] for each in with_loud} == {"DUO", "QUARTET"}
    assert app.get("/api/bands", {"sort": "isShort"}, status=400)
    assert app.get("/api/bands", {"fields": "isHidden"}, status=400)


def test_a_cached_answer_depends_on_the_tables_of_a_batch(
    app: Client, venues: Desk, make_band: Any
) -> None:
    hall = venues.create_public(title="Hall")["id"]
    band = make_band("Trio", venueId=hall)["id"]
    assert app.get(f"/api/bands/{band}").json["venueTitle"] == "Hall"

    venues.edit(hall, published=False)

    assert app.get(f"/api/bands/{band}").json["venueTitle"] is None
    assert app.get("/api/bands").json[0]["venueTitle"] is None


def test_embedded_items_have_computed_fields_by_one_call(
    venues: Desk, concerts: Desk, make_band: Any, calls: list[int]
) -> None:
    halls = [venues.create_public(title=title)["id"] for title in ("Hall", "Club")]
    bands = [make_band(name, venueId=halls[0])["id"] for name in ("One", "Two", "Three")]
    for number in range(4):
        concerts.create_public(venueId=halls[number % 2], bandIds=bands[: number % 3 + 1])
    calls.clear()

    listed = concerts.public_list(embed="venue,bands", sort="id")
    assert sorted(calls) == [2, 3], "one call for the venues, one for the bands"
    calls.clear()
    of_staff = concerts.list(embed="venue")

    assert [each["venue"]["bandCount"] for each in listed] == [3, None, 3, None]
    assert [each["venue"]["titleLength"] for each in listed] == [4] * 4
    assert [band["venueTitle"] for each in listed for band in each["bands"]] == ["Hall"] * 7
    assert [band["isShort"] for band in listed[2]["bands"]] == [True, True, False]
    assert not {"secretCount", "isHidden"} & {n for it in listed for n in it["venue"]}
    assert calls == [2]
    assert {each["venue"]["bandCount"] for each in of_staff} == {3, None}
