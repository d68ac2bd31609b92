"""Parameters of public lists and items that choose the items, their order and their fields."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import event

from masthead.testing import Client, Clock, Database, Desk

MakeTag = Callable[[str], Any]


@pytest.fixture
def three(toys: Desk, make_tag: MakeTag) -> list[Any]:
    """Return three public toys; each shares a tag with the first one."""
    tag = make_tag("Wood")["id"]
    return [
        toys.create_public(
            title=title,
            content=f'<p><a href="/{n}">{title}</a></p>',
            displayOrder=n,
            tagIds=[tag],
            maker="Ada",
        )
        for n, title in enumerate(("Top", "ball", "Kite"))
    ]


@contextmanager
def counted(database: Database) -> Iterator[list[str]]:
    """Count the statements."""
    statements: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
        statements.append(statement)

    event.listen(database.reader, "before_cursor_execute", note)
    event.listen(database.engine, "before_cursor_execute", note)
    yield statements
    event.remove(database.reader, "before_cursor_execute", note)
    event.remove(database.engine, "before_cursor_execute", note)


def titles(answer: Any) -> list[str]:
    return [item["title"] for item in answer.json]


def test_include_adds_related_items_and_content(
    app: Client, memos: Desk, three: list[Any], toys: Desk
) -> None:
    for n in range(2):
        memos.create_public(title=f"Memo {n}", content="<p>Text</p>")
    top, ball, _ = three

    plain, full = app.get("/api/toys"), app.get("/api/toys?include=content,related,tags")
    alone = app.get(f"/api/toys/{top['slug']}?include=related").json

    assert [{k: v for k, v in item.items() if k != "related"} for item in full.json] == plain.json
    assert [[each["title"] for each in item["related"]] for item in full.json] == [
        ["Kite", "ball"],
        ["Kite", "Top"],
        ["ball", "Top"],
    ]
    assert alone["related"] == toys.related(top["id"]) == full.json[0]["related"]
    assert toys.related(ball["id"]) == full.json[1]["related"]
    assert [m.get("content") for m in app.get("/api/memos").json] == [None, None]
    assert app.get("/api/memos?include=content").json[0]["content"] == "<p>Text</p>"


def test_related_items_have_chosen_fields_and_a_number(app: Client, three: list[Any]) -> None:
    path = f"/api/toys/{three[0]['id']}/related"

    full = app.get(path).json
    assert app.get(f"{path}?fields=title&limit=1").json == [{"title": full[0]["title"]}]
    assert app.get(f"{path}?limit=500&html=absolute").json == full
    assert "limit: " in app.get(f"{path}?limit=0", status=400).json["error"]
    assert "fields: " in app.get(f"{path}?fields=note", status=400).json["error"]


def test_fields_selects_among_all_fields(app: Client, three: list[Any]) -> None:
    found = app.get("/api/toys?fields=title,related&limit=2")
    alone = app.get(f"/api/toys/{three[0]['slug']}?fields=id,content")

    assert [item.keys() for item in found.json] == [{"title", "related"}] * 2
    assert alone.json == {"id": three[0]["id"], "content": three[0]["content"]}
    assert found.headers["X-Total-Count"] == "3"
    assert "fields=title%2Crelated&limit=2&offset=2" in found.headers["Link"]


def test_ids_chooses_items_in_the_order_of_the_list(app: Client, three: list[Any]) -> None:
    ids = f"{three[2]['id']},{three[0]['id']},999,{three[0]['id']}"

    found = app.get(f"/api/toys?ids={ids}")

    assert titles(found) == ["Top", "Kite"]
    assert found.headers["X-Total-Count"] == "2"
    assert titles(app.get(f"/api/toys?ids={ids}&tag=wood&search=kit")) == ["Kite"]


def test_sort_orders_by_declared_fields_with_the_id_as_the_last_key(
    app: Client, toys: Desk, three: list[Any]
) -> None:
    same = toys.create_public(title="Kite", displayOrder=7)

    assert titles(app.get("/api/toys?sort=title")) == ["Kite", "Kite", "Top", "ball"]
    newest = [item["id"] for item in app.get("/api/toys?sort=-title").json]
    assert newest == [three[1]["id"], three[0]["id"], same["id"], three[2]["id"]]
    assert titles(app.get("/api/toys?sort=-displayOrder")) == ["Kite", "Kite", "ball", "Top"]
    assert titles(app.get("/api/toys?sort=title,-displayOrder&limit=1&offset=1")) == ["Kite"]


def test_updated_since_finds_what_changed_for_the_public(
    clock: Clock, app: Client, toys: Desk
) -> None:
    early = toys.create_public(title="Early")
    due = toys.create_public(title="Due", scheduledPublishAt="2026-03-04T00:00:00.000Z")
    clock.move_to("2026-03-03T00:00:00Z")
    edited = toys.create_public(title="Edited")
    toys.as_role("admin").edit(early["id"], note="not public")
    toys.edit(early["id"], title="Staged")
    since = "/api/toys?updatedSince=2026-03-03T00:00:00Z&sort=updatedAt"

    assert titles(app.get(since)) == ["Edited"]
    clock.move_to("2026-03-05T00:00:00Z")
    toys.as_role("admin").edit(edited["id"], title="Edited again")

    found = app.get(since).json
    assert [(item["title"], item["updatedAt"]) for item in found] == [
        ("Due", "2026-03-04T00:00:00.000Z"),
        ("Edited again", "2026-03-05T00:00:00.000Z"),
    ]
    assert app.get(f"/api/toys/{due['slug']}").json["updatedAt"] == found[0]["updatedAt"]


def test_html_is_absolute_on_request(app: Client, three: list[Any]) -> None:
    link = '<a href="http://127.0.0.1:6543/1">'

    assert link in app.get("/api/toys?html=absolute").json[1]["content"]
    assert link in app.get(f"/api/toys/{three[1]['slug']}?html=absolute").json["content"]
    assert link not in app.get("/api/toys").json[1]["content"]


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("include=contents", "include: Must be one of content, related, tags"),
        ("fields=id,note", "fields: Must be one of id, title, slug,"),
        ("fields=approvalStatus", "fields: Must be one of id"),
        ("ids=1,x", "ids: Must be an integer"),
        ("ids=,", "ids: Must be an integer"),
        (f"ids={','.join(map(str, range(1, 502)))}", "ids: At most 500 ids"),
        ("sort=note", "sort: Must be one of displayOrder, -displayOrder, title,"),
        ("sort=title,-title", "sort: Must not name a field twice"),
        ("sort=title,id,updatedAt,displayOrder", "sort: At most 3 fields"),
        ("updatedSince=yesterday", "updatedSince: Must be an ISO 8601 date-time"),
        ("html=relative", "html: Must be one of absolute"),
    ],
)
def test_a_wrong_value_is_refused(app: Client, query: str, message: str) -> None:
    assert app.get(f"/api/toys?{query}", status=400).json["error"].startswith(message)


@pytest.mark.usefixtures("three")
def test_a_longer_page_takes_no_more_statements(app: Client, database: Database) -> None:
    path = "/api/toys?include=content,related&html=absolute&limit="
    app.get(f"{path}100")
    with counted(database) as few:
        app.get(f"{path}1")
    with counted(database) as many:
        app.get(f"{path}3")

    assert len(few) == len(many) > 1


def test_related_items_limit_the_page(app: Client, memos: Desk) -> None:
    memos.create_public()

    answer = app.get("/api/memos?include=related&limit=500&offset=0")

    assert answer.headers["X-Total-Count"] == "1"
    assert answer.json[0]["related"] == []
