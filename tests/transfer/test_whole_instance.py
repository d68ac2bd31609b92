"""Export and import of a whole instance: both instances have equal responses and exports."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from webtest import TestApp

from masthead import PUBLIC, Endpoint, Instance
from masthead.transfer.instance_export import export_instance
from masthead.transfer.instance_import import import_instance
from masthead.web.app import app_of

OWN = ("/api/changes",)
"""The addresses whose answers have cursors, which are valid for one database only."""


def test_all_that_the_public_sees_is_the_same_elsewhere(
    route: tuple[str, str],
    make_instance: Callable[[str], Instance],
    fill: Callable[[Instance], None],
    tmp_path: Path,
) -> None:
    source, target = (make_instance(kind) for kind in route)
    fill(source)
    messages: list[str] = []

    assert export_instance(source, tmp_path / "out", report=lambda *_: None) == []
    assert import_instance(target, tmp_path / "out", lambda *_: None, messages.append)
    assert [message for message in messages if message.startswith("Cleaned")] == []

    addresses = list(_addresses(source, tmp_path / "out"))
    before, after = (_answers(instance, addresses) for instance in (source, target))
    differing = [a for a in addresses if before[a] != after[a]]
    assert [a for a in differing if not a.startswith(OWN)] == []
    shown = [a for a in addresses if before[a][0] == 200]
    assert {"/api/news/water", "/api/events?search=water", "/api/actions?tag=sea"} <= set(shown)
    assert any(a.startswith("/api/images/") and a.endswith("?w=320") for a in shown)
    export_instance(target, tmp_path / "again", report=lambda *_: None)
    rows = _rows(tmp_path / "out")
    assert _rows(tmp_path / "again") == rows
    resources = ("crm_contact", "people_person", "site_page", "site_static_image", "site_value")
    assert all(rows[f"{table}.jsonl"] for table in resources)


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
