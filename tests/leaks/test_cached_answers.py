"""After every kind of write, each public answer is the same with and without a cache.

The matrix has all cacheable endpoints of all plugins, and the writes of staff and of the public, in
two processes. An answer whose bytes stay keeps its entity tag, and a write of one content type
sends no request about another one to the router.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from io import BytesIO
from typing import Any, NamedTuple

import pytest
from PIL import Image
from webtest import TestApp
from webtest.forms import Upload

from masthead import Endpoint, Instance
from masthead.http.environ import CACHE_KEY
from masthead.instance import open_instance
from masthead.testing import Client, Clock
from masthead.web.app import app_of

SECRET = "4d0f2c77b1e94a8c9f63a1d85be27c06"
PER_ENDPOINT = 3
"""The number of addresses of one endpoint, which answer 200 and have different queries."""
DUE = "2026-03-05T08:00:00Z"


class Answer(NamedTuple):
    status: int
    body: bytes
    total: str | None
    etag: str | None


PROPOSAL = {
    "title": "A café for repairs",
    "description": "Once a month",
    "contactName": "Ada",
    "contactEmail": "ada@example.org",
    "imageUrls": [],
    "content": "<p>Bring what is broken</p>",
}
Answers = dict[str, Answer]
Write = Callable[[Client, Sequence[Any]], object]


@pytest.fixture
def settings() -> Mapping[str, str]:
    return {"masthead.feeds.sitemap_size": "7", "masthead.cache.strict": "true"}


@pytest.fixture
def others(instance: Instance, database_url: str) -> Iterator[list[TestApp]]:
    """Another process with a cache, and one without."""
    opened = [
        open_instance(
            {
                "masthead.data": str(instance.data),
                "masthead.database.url": database_url,
                "masthead.auth.secrets": SECRET,
                "masthead.feeds.sitemap_size": "7",
                "masthead.cache.strict": "true",
                "masthead.cache.size": size,
            },
            {},
            {plugin.name: plugin for plugin in instance.plugins},
        )
        for size in ("32", "0")
    ]
    yield [TestApp(app_of(each)) for each in opened]
    for each in opened:
        each.close()


def ask(app: Any, addresses: Sequence[str]) -> tuple[Answers, set[str]]:
    """Return the answers, and the addresses for which the router was called."""
    answers, routed = {}, set()
    for address in addresses:
        found = app.get(address, status="*")
        headers = found.headers
        answers[address] = Answer(
            found.status_int, found.body, headers.get("X-Total-Count"), headers.get("ETag")
        )
        if CACHE_KEY in found.request.environ:
            routed.add(address)
    return answers, routed


def chosen(app: Client, endpoints: Sequence[Endpoint], everywhere: Sequence[str]) -> list[str]:
    """Return some addresses of each cacheable endpoint that answer 200."""
    found = []
    for endpoint in endpoints:
        if endpoint.cacheable:
            pattern = "[^/]+".join(map(re.escape, re.split(r"{[^{}]*}", endpoint.path)))
            its = [each for each in everywhere if re.fullmatch(pattern, each.partition("?")[0])]
            answering = [each for each in its if app.get(each, status="*").status_int == 200]
            found += answering[:: max(1, len(answering) // PER_ENDPOINT)][:PER_ENDPOINT]
    return list(dict.fromkeys(found))


def of_type(addresses: Sequence[str], name: str) -> set[str]:
    return {each for each in addresses if re.match(rf"/api/{name}(/|\?|\Z)", each)}


def image(colour: str) -> Upload:
    file = BytesIO()
    Image.new("RGB", (400, 300), colour).save(file, "PNG")
    return Upload("a.png", file.getvalue(), "image/png")


def staff(app: Client) -> Client:
    return app.as_role("admin")


HIDDEN: dict[str, Write] = {
    "draft": lambda _, rooms: [room.hide("draft") for room in rooms],
    "pending": lambda _, rooms: [room.hide("pending") for room in rooms],
    "rejected": lambda _, rooms: [room.hide("rejected") for room in rooms],
    "stage": lambda _, rooms: [
        room.desk.edit(room.visible[0]["id"], **room.edits()) for room in rooms
    ],
    "request": lambda _, rooms: [room.desk.request(room.visible[0]["id"]) for room in rooms],
    "reject": lambda _, rooms: [
        room.chief.reject(room.visible[0]["id"], reason="No") for room in rooms
    ],
    "drop": lambda _, rooms: [room.desk.drop_staged(room.visible[0]["id"]) for room in rooms],
    "delete hidden": lambda _, rooms: [room.remove_hidden() for room in rooms],
    "visitor's upload": lambda app, _: app.post("/api/ycs/upload/image", {"file": image("teal")}),
    "upload": lambda app, _: staff(app).post("/api/staff/upload/image", {"file": image("navy")}),
    "proposal": lambda app, _: app.post_json("/api/ycs/submit-action", PROPOSAL),
    "message": lambda app, _: app.post_json(
        "/api/contact", {"name": "A", "email": "a@example.org", "subject": "S", "message": "M"}
    ),
    "subscribe": lambda app, _: app.post_json(
        "/api/newsletter/subscribe", {"email": "a@example.org"}
    ),
    "contact": lambda app, _: staff(app).post_json("/api/staff/contacts", {"name": "Ann"}),
    "login": lambda app, _: app.post_json(
        "/api/auth/login", {"username": "nobody", "password": "wrong"}, status=401
    ),
    "profile": lambda app, _: staff(app).get("/api/staff/profile"),
}
OF_ONE_TYPE: dict[str, Callable[[Any], object]] = {
    "publish": lambda room: room.show_some(4),
    "edit": lambda room: room.chief.edit(room.visible[1]["id"], title="Edited"),
    "retag": lambda room: room.chief.edit(room.visible[1]["id"], tagIds=[]),
    "schedule": lambda room: room.chief.create_public(
        **room.visible_values(6), scheduledPublishAt=DUE
    ),
    "unpublish": lambda room: room.chief.bulk("unpublish", [room.visible[2]["id"]]),
    "delete": lambda room: room.chief.delete(room.visible[1]["id"]),
}
SHARED: dict[str, Write] = {
    "rename tag": lambda app, _: staff(app).put_json("/api/staff/tags/1", {"name": "Sea"}),
    "new tag": lambda app, _: staff(app).post_json("/api/staff/tags", {"name": "Fire"}),
    "delete tag": lambda app, _: staff(app).delete("/api/staff/tags/1"),
    "rename author": lambda _, rooms: rooms[0]._public_desk.client.put_json(
        "/api/staff/profile", {"displayName": "Eve"}
    ),
}


class Comparison:
    """Compares the answers of one process with those of others, and with its earlier ones."""

    def __init__(self, app: Client, others: Sequence[TestApp], asked: list[str]) -> None:
        self._app = app
        self._others = others
        self._asked = asked
        self._before, _ = ask(app, asked)

    def check(self, step: str) -> set[str]:
        """Compare the processes, and return the addresses that the first one asked its router."""
        before, asked = self._before, self._asked
        here, routed = ask(self._app, asked)
        for other in self._others:
            theirs, _ = ask(other, asked)
            assert {a for a in asked if theirs[a] != here[a]} == set(), step
        same = {a for a in asked if here[a].body == before[a].body and here[a].status == 200}
        moved = {a for a in same if here[a][2:] != before[a][2:] and here[a][2] == before[a][2]}
        assert moved == set(), step
        self._before = here
        return routed


@pytest.mark.exhaustive
def test_no_answer_is_stale_and_none_is_dropped_needlessly(
    clock: Clock,
    app: Client,
    others: Sequence[TestApp],
    newsrooms: Sequence[Any],
    public_endpoints: Sequence[Endpoint],
    addresses: Callable[[Sequence[Any]], list[str]],
) -> None:
    clock.shift(days=1)
    shown = staff(app).post("/api/staff/upload/image", {"file": image("red")}).json["url"]
    asked = [shown, *chosen(app, public_endpoints, addresses(newsrooms))]
    assert len(asked) > 50
    check = Comparison(app, others, asked).check

    check("start")
    for step, work in HIDDEN.items():
        work(app, newsrooms)
        assert check(step) == set(), step
    for step, write in OF_ONE_TYPE.items():
        for room in newsrooms:
            write(room)
            name = room.content_type.name
            routed = check(f"{step} {name}")
            assert of_type(asked, name) & routed, step
            for other_room in newsrooms:
                if other_room is not room:
                    assert of_type(asked, other_room.content_type.name) & routed == set(), step
    clock.move_to(DUE)
    assert check("due")
    for step, change in SHARED.items():
        change(app, newsrooms)
        check(step)
