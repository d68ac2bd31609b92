"""Export and import of a whole instance: both instances have equal responses and exports."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable, Iterator, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from PIL import Image
from webtest import TestApp
from webtest.forms import Upload

from masthead import (
    PUBLIC,
    Bool,
    Choice,
    ContentType,
    Email,
    Endpoint,
    Html,
    Instance,
    Int,
    ListOf,
    Nullable,
    Str,
    Timestamp,
    Url,
    content_types_of,
)
from masthead.http.routes import BASE_URL
from masthead.testing import Client, Desk
from masthead.testing.accounts import Accounts
from masthead.testing.answers import AnswerChecker
from masthead.testing.run import received
from masthead.transfer.instance_export import export_instance
from masthead.transfer.instance_import import import_instance
from masthead.web.app import app_of

IMAGE = "/api/staff/upload/image"
WORDS = ("water", "水を守る", "सागर")


@pytest.fixture
def fill(pytestconfig: pytest.Config) -> Callable[[Instance], None]:
    """Creates items of every type, as staff and visitors do."""

    def run(instance: Instance) -> None:
        accounts = Accounts(instance)
        checker = AnswerChecker(
            instance.endpoints, received(pytestconfig), instance.settings[BASE_URL]
        )
        client = Client(app_of(instance), accounts, checker)
        author = accounts.make_user("ada", role="editor", display_name="Ada Lovelace")
        staff, admin = client.as_user(author), client.as_role("admin")
        picture = staff.post(IMAGE, {"file": _picture()}).json["url"]
        tag = admin.post_json("/api/staff/tags", {"name": "Sea"}).json["id"]
        for kind in content_types_of(instance):
            _write_content(Desk(client, kind.name).as_user(author), kind, picture, tag)
        for name, resource in instance.resources.items():
            made = [e for e in instance.endpoints if e.name == f"staff.{name}.create"]
            values = {f.name: _sample(f.kind, 1, picture) for f in resource.fields}
            for endpoint in made:
                admin.post_json(endpoint.path, values, status="*")
        admin.put_json("/api/staff/about", {"mission": {"title": "Why", "content": "<p>So</p>"}})
        admin.put_json("/api/staff/static-images/hero", {"imageUrl": picture}, status="*")
        hello = {"name": "Bo", "email": "bo@example.org", "subject": "Hi", "message": "Hello"}
        client.post_json("/api/contact", hello)

    return run


def _write_content(desk: Desk, kind: ContentType, picture: str, tag: int) -> None:
    """Create an item in each state, and an unpublished one."""
    fields = [f for f in kind.fields if f.name != "scheduledPublishAt"]
    made = []
    for number, word in enumerate(WORDS, 1):
        values = {f.name: _sample(f.kind, number, picture) for f in fields}
        made.append(desk.create_public(**{**values, "title": word}, tagIds=[tag]))
    desk.edit(made[0]["id"], title="Staged", description="Not seen yet")
    values = {f.name: _sample(f.kind, 1, picture) for f in fields}
    desk.request(desk.create(**{**values, "title": "Pending"})["id"])
    desk.as_role("admin").delete(made[2]["id"])


def _picture() -> Upload:
    file = BytesIO()
    Image.new("RGB", (700, 300), "navy").save(file, "PNG")
    return Upload("sea.png", file.getvalue(), "image/png")


def _sample(kind: Any, number: int, picture: str) -> Any:
    if isinstance(kind, Nullable):
        return _sample(kind.inner, number, picture)
    if isinstance(kind, ListOf):
        return []
    if isinstance(kind, Choice):
        return kind.options[0]
    samples = {
        Str: f"text {number}",
        Html: f'<p>{WORDS[number - 1]}</p><img src="{picture}" alt="">',
        Url: picture,
        Email: f"person{number}@example.org",
        Int: number,
        Timestamp: f"2026-02-0{number}T10:00:00.000Z",
        Bool: True,
    }
    return samples.get(type(kind))


def test_all_that_the_public_sees_is_the_same_elsewhere(
    route: tuple[str, str],
    make_instance: Callable[[str], Instance],
    fill: Callable[[Instance], None],
    tmp_path: Path,
) -> None:
    source, target = (make_instance(kind) for kind in route)
    fill(source)

    assert export_instance(source, tmp_path / "out", report=lambda *_: None) == []
    assert import_instance(target, tmp_path / "out", report=lambda *_: None)

    addresses = list(_addresses(source, tmp_path / "out"))
    before, after = (_answers(instance, addresses) for instance in (source, target))
    assert [a for a in addresses if before[a] != after[a]] == []
    shown = [a for a in addresses if before[a][0] == 200]
    assert {"/api/news/water", "/api/events?search=water", "/api/actions?tag=sea"} <= set(shown)
    assert any(a.startswith("/api/images/") and a.endswith("?w=320") for a in shown)
    export_instance(target, tmp_path / "again", report=lambda *_: None)
    assert _rows(tmp_path / "again") == _rows(tmp_path / "out")


def _answers(
    instance: Instance, addresses: Sequence[str]
) -> dict[str, tuple[int, str | None, Any]]:
    """Return the response of each address; JSON is parsed, because its format may differ."""
    app = TestApp(app_of(instance))
    found = {}
    for address in addresses:
        answer = app.get(address, status="*")
        is_json = answer.content_type == "application/json"
        body = answer.json if is_json else answer.body
        found[address] = answer.status_int, answer.content_type, body
    return found


def _addresses(instance: Instance, folder: Path) -> Iterator[str]:
    """Return every public address, with all items as placeholders."""
    names = _names(folder)
    for outlet in instance.endpoints:
        if (outlet.permission, outlet.method) == (PUBLIC, "GET"):
            for path in _paths(outlet.path, names):
                for query in _queries(outlet):
                    yield path + query


def _names(folder: Path) -> list[str]:
    """Return the values of placeholders in paths: ids, slugs, and parts of images' keys."""
    rows = [row for lines in _rows(folder).values() for row in map(json.loads, lines)]
    texts = {str(row[key]) for row in rows for key in ("id", "slug") if row.get(key)}
    keys = {part for row in rows for part in row.get("key", "").split("/") if part}
    return sorted(texts | keys)


def _paths(pattern: str, names: Sequence[str]) -> Iterator[str]:
    for values in itertools.product(names, repeat=pattern.count("{")):
        path = pattern
        for value in values:
            path = re.sub(r"{[^{}]*}", value, path, count=1)
        yield path


def _queries(outlet: Endpoint) -> Iterator[str]:
    asked = {"tag": "sea", "search": "water", "upcoming": "true", "limit": "1", "w": "320"}
    yield ""
    for node in outlet.parameters:
        if node.name in asked:
            yield f"?{urlencode({node.name: asked[node.name]})}"


def _rows(folder: Path) -> dict[str, list[str]]:
    """Return the lines of each table, without the record of imported exports."""
    return {
        file.name: [line for line in file.read_text("utf-8").splitlines() if '"export"' not in line]
        for file in (folder / "tables").iterdir()
    }
