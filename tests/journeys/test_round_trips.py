"""Accepted values are returned as they are shown; sending them again changes nothing."""

from __future__ import annotations

import re
import unicodedata
from typing import Any

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from masthead.testing import Client, Desk

_CONTROLS = "".join(chr(n) for n in range(32) if chr(n) not in "\t\n\r")
TEXT = st.text(st.characters(codec="utf-8", exclude_characters=_CONTROLS), max_size=40)
_LINE_CONTROLS = _CONTROLS + "".join(map(chr, range(0x7F, 0xA0))).replace("\x85", "")
LINE = st.text(st.characters(codec="utf-8", exclude_characters=_LINE_CONTROLS), max_size=40)
TITLE = LINE.map(lambda text: f"T{text}")
MARKUP = st.lists(
    st.sampled_from(
        ["<p>", "</p>", "<b>", "</b>", "<br>", "<a href='/x?a=1&b=2'>", "</a>", "&amp;", "&", "<",
         ">", "&#x338;", '"', "<img src=x onerror=y>", "<table><tr><td>", "</table>",
         "<!-- x -->", "<svg>", "<script>", "</script>", "<style>", "<p class=a id=b>", "\u0338",
         "\xa0", "e\u0301", "<iframe src=//x>", "<ul><li>", "</ul>", "</div>", "<div>", "\r\n"]
    )
    | TEXT,
    max_size=12,
).map("".join)  # fmt: skip
MOMENT = st.none() | st.datetimes().map(lambda moment: moment.isoformat() + "Z")
ARTICLE = st.fixed_dictionaries(
    {"title": TITLE},
    optional={
        "description": st.none() | TEXT,
        "content": st.none() | MARKUP,
        "category": st.none() | LINE,
        "imageUrl": st.sampled_from(
            [None, "", "/a b.png", "https://x.test/ä?b#c", "mailto:a@b.test"]
        ),
        "publishedAt": MOMENT,
        "scheduledPublishAt": MOMENT,
        "tagIds": st.lists(st.sampled_from([1, 2, 3]), max_size=5),
    },
)
_BLANKS = "".join(c for c in map(chr, range(0x3001)) if c.isspace()) + "\ufeff"
_VISIBLE = regex.compile(r"[^\s\u2800\p{Default_Ignorable_Code_Point}\p{Cf}]")
BOUNDED = settings(derandomize=True, max_examples=40, database=None)


@pytest.fixture
def desk(app: Client) -> Desk:
    editor = app.as_role("editor")
    for name in ("One", "Two", "Three"):
        editor.post_json("/api/staff/tags", {"name": name})
    return Desk(editor, "news")


def writable(shown: dict[str, Any]) -> dict[str, Any]:
    """Return the body of a client that changes nothing: all writable values of an answer."""
    return {**shown, "tagIds": [tag["id"] for tag in shown["tags"]]}


@pytest.mark.slow
@BOUNDED
@given(ARTICLE)
def test_get_put_get_is_stable_to_the_byte(desk: Desk, article: dict[str, Any]) -> None:
    address = f"/api/staff/news/{desk.create(**article)['id']}"
    first = desk.client.get(address)

    put = desk.client.put_json(address, writable(first.json))
    again = desk.client.get(address)

    assert again.body == put.body == first.body
    assert again.headers["ETag"] == put.headers["ETag"] == first.headers["ETag"]
    desk.delete(first.json["id"])


@BOUNDED
@given(ARTICLE)
def test_created_values_are_shown_unchanged(desk: Desk, article: dict[str, Any]) -> None:
    created = desk.create(**article)

    assert desk.show(created["id"]) == created
    assert created["title"] == line(article["title"])
    for name, stored in (("description", nfc), ("category", line)):
        sent = article.get(name)
        assert created[name] == (None if sent is None else stored(sent))
    assert created["imageUrl"] == (article.get("imageUrl") or None)
    for name in ("publishedAt", "scheduledPublishAt"):
        assert same_moment(article.get(name), created[name])
    assert {tag["id"] for tag in created["tags"]} == set(article.get("tagIds", ()))
    desk.delete(created["id"])


def nfc(text: str) -> str:
    """Return text of several lines in its stored form."""
    trimmed = unicodedata.normalize("NFC", text).strip(_BLANKS)
    return trimmed if _VISIBLE.search(trimmed) else ""


def line(text: str) -> str:
    """Return text of one line in its stored form."""
    parts = [part.strip() for part in re.split("[\t\n\r\x85\u2028\u2029]", nfc(text))]
    return nfc(text) if len(parts) == 1 else " ".join(filter(None, parts))


def same_moment(sent: str | None, shown: str | None) -> bool:
    """Whether both times are the same to the millisecond."""
    if sent is None or shown is None:
        return sent is shown
    date_time, _, fraction = sent.rstrip("Z").partition(".")
    return shown == f"{date_time}.{(fraction + '000')[:3]}Z"


@pytest.mark.parametrize("year", ["0001", "9999"])
def test_the_first_and_the_last_year_are_returned_unchanged(desk: Desk, year: str) -> None:
    moments = [f"{year}-{rest}.000Z" for rest in ("01-01T23:59:59", "12-30T00:00:00")]

    for moment in moments:
        item = desk.create(publishedAt=moment.replace("Z", "+00:00"))
        desk.publish(item["id"])
        shown = desk.public_item(item["slug"])
        assert shown["publishedAt"] == moment
        assert moment in [each["publishedAt"] for each in desk.public_list()]


def test_a_staged_edit_is_returned_unchanged_and_stable_too(desk: Desk) -> None:
    item = desk.create_public(title="Live", publishedAt="2026-03-01T09:30:00.123Z")
    desk.edit(item["id"], title="Staged", tagIds=[3, 1], publishedAt="2026-03-02T09:30:00.456Z")
    address = f"/api/staff/news/{item['id']}"
    first = desk.client.get(address)

    assert first.json["staged"] is True
    put = desk.client.put_json(address, writable(first.json))
    assert put.body == first.body
    assert put.headers["ETag"] == first.headers["ETag"]


def test_public_answers_are_the_same_for_all_kinds_of_requests(desk: Desk) -> None:
    item = desk.create_public(title="Straße")
    address = f"/api/news/{item['slug']}"
    plain = desk.client.get(address)

    assert re.fullmatch(r'"[0-9a-f]{32}"', plain.headers["ETag"])
    for odd in ("?", "?utm_source=x", "?callback=x&_=1", "?limit=1", "?tag=none"):
        answer = desk.client.get(address + odd)
        assert (answer.body, answer.headers["ETag"]) == (plain.body, plain.headers["ETag"])
