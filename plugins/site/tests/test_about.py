"""Mission, history and values have the same shape before and after they are written."""

from __future__ import annotations

from typing import Any

import pytest

from masthead.testing import Client

TEXTS = "/api/staff/about"
VALUES = "/api/staff/about/values"
BLANK = {"title": "", "content": ""}


def test_before_anything_was_written_all_is_blank(app: Client, staff: Client) -> None:
    assert app.get("/api/about").json == {"mission": BLANK, "history": BLANK, "values": []}
    assert staff.get(TEXTS).json == {"mission": BLANK, "history": BLANK}


def test_an_update_changes_what_was_sent_and_nothing_else(app: Client, staff: Client) -> None:
    mission = {"title": "Mission", "content": "<p>Plant trees</p>"}
    assert staff.put_json(TEXTS, {"mission": mission}).json == {
        "mission": mission,
        "history": BLANK,
    }

    staff.put_json(TEXTS, {"history": {"content": "<p>Since 1990</p>"}})
    staff.put_json(TEXTS, {"mission": {"title": "Our mission"}})
    staff.put_json(TEXTS, {})

    expected = {
        "mission": {"title": "Our mission", "content": "<p>Plant trees</p>"},
        "history": {"title": "", "content": "<p>Since 1990</p>"},
    }
    assert staff.get(TEXTS).json == expected
    assert app.get("/api/about").json == {**expected, "values": []}


@pytest.mark.parametrize(
    ("change", "left"),
    [
        ({"mission": None}, BLANK),
        ({"mission": {"title": None}}, {"title": "", "content": "<p>C</p>"}),
        ({"mission": {"content": " "}}, {"title": "T", "content": ""}),
        ({"mission": {"title": "", "content": None}}, BLANK),
    ],
)
def test_null_and_blank_clear(staff: Client, change: Any, left: Any) -> None:
    staff.put_json(TEXTS, {"mission": {"title": "T", "content": "<p>C</p>"}})

    assert staff.put_json(TEXTS, change).json["mission"] == left


def test_contents_are_sanitised_and_can_be_sent_back(staff: Client) -> None:
    sent = {"history": {"content": "<p>Hi<script>x()</script></p>"}}

    shown = staff.put_json(TEXTS, sent).json

    assert shown["history"]["content"] == "<p>Hi</p>"
    assert staff.put_json(TEXTS, shown).json == shown


@pytest.mark.parametrize(
    ("body", "named"),
    [
        ({"mission": "We plant"}, "mission: "),
        ({"mission": ["We plant"]}, "mission: "),
        ({"history": {"title": 7}}, "history: title: "),
        ({"history": {"title": "x" * 201}}, "history: title: "),
        ({"history": {"content": {}}}, "history: content: "),
        ({"history": {"content": "x" * 1024 * 1025}}, "history: content: "),
    ],
)
def test_a_bad_body_changes_nothing(staff: Client, body: Any, named: str) -> None:
    staff.put_json(TEXTS, {"mission": {"title": "Kept"}})

    error = staff.put_json(TEXTS, {"mission": {"title": "Lost"}, **body}, status=400).json["error"]

    assert error.startswith(named)
    assert staff.get(TEXTS).json["mission"]["title"] == "Kept"


def test_values_have_an_order(app: Client, staff: Client) -> None:
    made = [
        staff.post_json(VALUES, {"title": title, "order": order}).json
        for title, order in [("Trust", 2), ("Care", 1), ("Joy", 1)]
    ]
    staff.put_json(
        f"{VALUES}/{made[1]['id']}",
        {"description": "We care.", "icon": "Heart", "colorClass": "text-red"},
    )

    shown = app.get("/api/about").json["values"]

    assert [value["title"] for value in shown] == ["Care", "Joy", "Trust"]
    assert shown[0] == {
        "id": made[1]["id"],
        "title": "Care",
        "description": "We care.",
        "icon": "Heart",
        "colorClass": "text-red",
    }
    assert [value["title"] for value in staff.get(VALUES).json] == ["Care", "Joy", "Trust"]
    assert staff.get(f"{VALUES}/{made[2]['id']}").json == made[2]


def test_absent_fields_of_a_value_are_blank(app: Client, staff: Client) -> None:
    value = staff.post_json(VALUES, {"title": "Trust", "description": None}).json
    staff.put_json(f"{VALUES}/{value['id']}", {"icon": None, "colorClass": ""})

    [shown] = app.get("/api/about").json["values"]

    assert shown == {
        "id": value["id"],
        "title": "Trust",
        "description": "",
        "icon": "",
        "colorClass": "",
    }


def test_a_deleted_value_is_gone(app: Client, staff: Client) -> None:
    value = staff.post_json(VALUES, {"title": "Trust"}).json

    staff.delete(f"{VALUES}/{value['id']}")

    assert app.get("/api/about").json["values"] == []
    for method in (staff.get, staff.delete):
        method(f"{VALUES}/{value['id']}", status=404)


def test_an_answer_is_kept_until_something_changes(app: Client, staff: Client) -> None:
    etag = app.get("/api/about").headers["ETag"]

    app.get("/api/about", headers={"If-None-Match": etag}, status=304)
    staff.post_json(VALUES, {"title": "Trust"})
    app.get("/api/about", headers={"If-None-Match": etag}, status=200)
