"""The demo can be exported and imported, and the imported instance counts as a demo."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from webtest import TestApp

from masthead import PUBLIC, Instance
from masthead.demo.filling import fill
from masthead.transfer.instance_export import export_instance
from masthead.transfer.instance_import import import_instance
from masthead.web.app import app_of


@pytest.mark.slow
def test_the_demo_answers_the_same_elsewhere(
    route: tuple[str, str], make_instance: Callable[[str], Instance], tmp_path: Path
) -> None:
    source, target = (make_instance(kind) for kind in route)
    fill(source)
    messages: list[str] = []

    assert export_instance(source, tmp_path / "out", report=lambda *_: None) == []
    assert import_instance(target, tmp_path / "out", lambda *_: None, messages.append)
    assert [message for message in messages if message.startswith("Cleaned")] == []

    before, after = dict(answers(source)), dict(answers(target))
    assert [path for path, answer in before.items() if after.get(path) != answer] == []
    assert before.keys() == after.keys()
    assert not fill(target)


def answers(instance: Instance) -> Iterator[tuple[str, Any]]:
    """Return all public lists, and the items and images that they contain."""
    app = TestApp(app_of(instance))
    public = [e for e in instance.endpoints if (e.permission, e.method) == (PUBLIC, "GET")]
    # Cursors of changes are valid for one database only.
    paths = [e.path for e in public if "{" not in e.path and e.path != "/api/changes"]
    for path in paths:
        answer = app.get(path, status="*")
        is_json = answer.content_type == "application/json"
        yield path, answer.json if is_json else answer.body
        listed = answer.json if is_json and isinstance(answer.json, list) else []
        for item in listed:
            if "slug" in item and path != "/api/tags":
                yield f"{path}/{item['slug']}", app.get(f"{path}/{item['slug']}").json
            if picture := item.get("imageUrl"):
                yield picture, app.get(picture).body
