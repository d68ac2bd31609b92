"""Reports about numbers and times beyond what a database or a calendar can hold."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from masthead.testing import Client, Desk

HUGE = [2**31, 2**63 - 1, 2**63, 2**64, -(2**63) - 1, 10**99]
WRITTEN = ["1e5", "0x1", "+1", "1.0", "١٢", "1_000", "", " 1", "NaN", "-0", "9" * 400, "1%00"]


def test_django_27397_an_id_beyond_the_column_is_not_found(app: Client) -> None:
    """Django ticket 27397: an id that is larger than its column was an error of the database."""
    admin = app.as_role("admin")
    for number in HUGE:
        for path in ("news", "events", "actions", "people", "users", "contacts", "newsletters"):
            admin.get(f"/api/staff/{path}/{number}", status=404)
            admin.delete(f"/api/staff/{path}/{number}", status=404)
        app.get(f"/api/news/{number}/related", status=[200, 404])


def test_cwe_1287_an_id_has_one_spelling(news: Desk) -> None:
    """CWE-1287: several spellings of one number went around caches and rules."""
    news.create()

    for text in WRITTEN:
        news.client.get(f"/api/staff/news/{quote(text, safe='%')}", status=404)


def test_django_27397_a_number_beyond_the_column_is_refused(editor: Client) -> None:
    """Django ticket 27397: a number that is larger than its column was an error of the database."""
    for number in HUGE:
        for path, field in [
            ("news", "tagIds"),
            ("actions", "displayOrder"),
            ("people", "displayOrder"),
        ]:
            value: Any = [number] if field == "tagIds" else number
            body = {"title": "A", "name": "A", "role": "B", field: value}

            editor.post_json(f"/api/staff/{path}", body, status=[200, 400])


def test_cwe_770_limits_are_whole_numbers(app: Client) -> None:
    """CWE-770: "limit=-1" and other odd limits returned a whole table."""
    for name in ["limit", "offset"]:
        for text in [*WRITTEN, "-1", "0", "1e309", "1;2", "[1]", "true", "null"]:
            answer = app.get("/api/news", {name: text}, status=[200, 400])

            if answer.status_int == 200:
                assert (name, text) in (("offset", "0"), ("offset", "-0"), ("limit", "9" * 400))


def test_cwe_770_a_page_has_a_largest_size(editor: Client, app: Client) -> None:
    """CWE-770: a client asked for a page of a billion items."""
    answer = app.get("/api/news?limit=999999999999999999999999")
    assert answer.json == []
    app.get(f"/api/news?offset={2**63}", status=400)
    app.get(f"/api/news?offset={2**63 - 1}", status=400)
    editor.get(f"/api/staff/news?limit=5&offset={2**62}")


def test_cwe_20_times_that_do_not_exist_are_refused(events: Desk) -> None:
    """CWE-20: times outside of the calendar, or none at all, were an error of the server."""
    for text in [
        *("0000-01-01", "10000-01-01", "-0001-01-01", "9999-12-31T23:59:59-01:00", "2026-02-30"),
        *("0001-01-01T00:00:00+01:00", "2026-13-01", "2026-01-01T25:00", "2026-01-01T00:60"),
        *("2026-01-01T00:00:61Z", "2026-W54-1", "2026-366", "1e9", "now", "1772357400000"),
        *("2026-01-01T00:00:00+25:00", "2026-01-01T00:00:00Z[Europe/Berlin]", "٢٠٢٦-٠١-٠١"),
        *("2026-01-01T00:00:00." + "9" * 5_000 + "Z!", "2026-01-01" + " " * 5_000),
    ]:
        answer = events.client.post_json(
            "/api/staff/events", {"title": "A", "startDate": text}, status=[200, 400]
        )

        # Blanks around a time are no part of it.
        assert answer.status_int == 400 or text.strip() == "2026-01-01"


def test_cwe_843_numbers_are_no_times(events: Desk) -> None:
    """CWE-843: seconds and milliseconds since 1970 were mistaken for each other."""
    for value in [0, 1772357400, 1e12, True, [], {}, ["2026-01-01"]]:
        body = {"title": "A", "startDate": value}

        assert (
            "startDate"
            in events.client.post_json("/api/staff/events", body, status=400).json["error"]
        )


def test_cwe_843_only_integers_are_ids(editor: Client) -> None:
    """CWE-843: a value of another type was compared or converted until it matched an id."""
    for value in [1.0, "1", True, None, [1], {"id": 1}, 1e30]:
        body = {"contentType": "news", "contentId": value}

        editor.post_json("/api/staff/approval/request", body, status=400)


def test_cwe_682_an_event_ends_after_its_start(events: Desk) -> None:
    """CWE-682: the end of an event before its start broke calendars and lists."""
    start, end = "2026-05-02T00:00:00Z", "2026-05-01T00:00:00Z"

    events.create(startDate=start, endDate=end, status=400)
    item = events.create(startDate=end, endDate=start)
    events.edit(item["id"], endDate="2026-04-01T00:00:00Z", status=400)
