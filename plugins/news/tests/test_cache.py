"""The cache of public answers: they equal those of an app without a cache."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Mapping
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as profile
from hypothesis import strategies as st
from webtest import TestApp

from masthead import ContentType
from masthead.content.jsonl_import import content_importer
from masthead.http.environ import IMMEDIATE_ANSWER
from masthead.instance import Instance, open_instance
from masthead.resources.jsonl import import_lines
from masthead.testing import Client, Clock
from masthead.web.app import app_of

ADDRESSES = [
    "/api/news",
    "/api/news?limit=2",
    "/api/news?limit=2&offset=1&utm_source=x",
    "/api/news?tag=red",
    "/api/news?tag=blue",
    "/api/news?search=one",
    "/api/news/one",
    "/api/news/two",
    "/api/news/1/related",
    "/api/tags",
]
STEPS = [
    "create",
    "retitle",
    "retag",
    "publish",
    "unpublish",
    "withhold",
    "stage",
    "approve",
    "reject",
    "delete",
    "rename_tag",
    "delete_tag",
    "rename_author",
    "import_lines",
    "elsewhere",
    "wait",
    "restore",
]


class Newsroom:
    """Perform the operations on news; random numbers choose the items."""

    def __init__(
        self, app: Client, instance: Instance, other: Instance, clock: Clock, kept: Path
    ) -> None:
        self.editor, self.admin = app.as_role("editor"), app.as_role("admin")
        self.instance, self.other, self.clock = instance, other, clock
        self.words = itertools.cycle(["One", "Two", "One three"])
        self.kept = kept
        for name in ("Red", "Blue"):
            self.admin.post_json("/api/staff/tags", {"name": name})

    def do(self, step: str, number: int) -> None:
        """Perform a step; ``number`` chooses its item."""
        getattr(self, step)(number)

    def create(self, number: int) -> None:
        """Create an article and publish it."""
        body = {"title": next(self.words), "tagIds": self._tags(number), "category": "c"}
        made = self.editor.post_json("/api/staff/news", body).json["id"]
        self._move("request", made)
        self._move("approve", made)

    def retitle(self, number: int) -> None:
        self._edit(self.admin, number, {"title": next(self.words)})

    def retag(self, number: int) -> None:
        self._edit(self.admin, number, {"tagIds": self._tags(number)})

    def publish(self, number: int) -> None:
        self._bulk("publish", number)

    def unpublish(self, number: int) -> None:
        self._edit(self.editor, number, {"published": False})

    def withhold(self, number: int) -> None:
        due = self.clock.now() + timedelta(hours=number)
        self._edit(self.admin, number, {"scheduledPublishAt": due.isoformat()})

    def stage(self, number: int) -> None:
        self._edit(self.editor, number, {"title": "Staged", "tagIds": []})

    def approve(self, number: int) -> None:
        for item in self._some(number):
            self._move("request", item)
            self._move("approve", item)

    def reject(self, number: int) -> None:
        for item in self._some(number):
            self._move("request", item)
            self._move("reject", item)

    def delete(self, number: int) -> None:
        self._bulk("delete", number)

    def rename_tag(self, number: int) -> None:
        for tag in self._some_tags(number):
            name = f"{number} {next(self.words)}"
            self.admin.put_json(f"/api/staff/tags/{tag}", {"name": name}, status="*")

    def delete_tag(self, number: int) -> None:
        for tag in self._some_tags(number):
            self.admin.delete(f"/api/staff/tags/{tag}")
            self.admin.post_json("/api/staff/tags", {"name": "Red"}, status="*")

    def rename_author(self, number: int) -> None:
        self.editor.put_json("/api/staff/profile", {"displayName": f"Ed {number}"})

    def import_lines(self, _number: int) -> None:
        _import(self.instance)

    def elsewhere(self, _number: int) -> None:
        """Import by another instance on the same database, as another process would."""
        _import(self.other)

    def wait(self, number: int) -> None:
        self.clock.shift(minutes=20 * number)

    def restore(self, _number: int) -> None:
        """Back up the database, or restore the last backup, in turn."""
        if self.instance.database.dialect == "sqlite":
            live, kept = self.instance.database.url.database, self.kept
            source, target = (kept, live) if kept.exists() else (live, kept)
            # A second SQLite library in this process would break the locks of the first.
            connect = self.instance.database.engine.dialect.loaded_dbapi.connect
            with closing(connect(source)) as old, closing(connect(target)) as new:
                old.backup(new)
            if source == kept:
                kept.unlink()

    def _edit(self, who: Client, number: int, body: dict[str, Any]) -> None:
        for item in self._some(number):
            who.put_json(f"/api/staff/news/{item}", body, status="*")

    def _bulk(self, operation: str, number: int) -> None:
        body = {"operation": operation, "ids": self._some(number)}
        self.admin.post_json("/api/staff/news/bulk", body)

    def _move(self, move: str, item: int) -> None:
        body = {"contentType": "news", "contentId": item}
        self.admin.post_json(f"/api/staff/approval/{move}", body, status="*")

    def _some(self, number: int) -> list[int]:
        items = [item["id"] for item in self.admin.get("/api/staff/news").json]
        return items[number % len(items) :][:1] if items else []

    def _some_tags(self, number: int) -> list[int]:
        tags = [tag["id"] for tag in self.admin.get("/api/staff/tags").json]
        return tags[number % len(tags) :][:1] if tags else []

    def _tags(self, number: int) -> list[int]:
        return [tag["id"] for tag in self.admin.get("/api/tags").json[: number % 3]]


def _import(instance: Instance) -> None:
    lines = [json.dumps({"title": "One imported", "tags": ["Red", "Green"]}).encode()]
    kind = instance.content_types["news"]
    assert isinstance(kind, ContentType)
    assert [
        line.error
        for line in import_lines(instance, content_importer(kind), lines, publish=True, actor=None)
    ] == [None]


def _immediate_answer(app: Client, address: str) -> dict[str, Any]:
    """Return the environ with which the server passes an immediate answer."""
    path, _, query = address.partition("?")
    found = app.app.immediate_answer("GET", path, query)
    return {} if found is None else {IMMEDIATE_ANSWER: found}


@pytest.fixture
def settings() -> Mapping[str, str]:
    return {"masthead.cache.strict": "true"}


@pytest.fixture
def uncached(instance: Instance, database_url: str, tmp_path: Path) -> Iterator[Instance]:
    """Open another instance on the same database, without a cache."""
    ini = {
        "masthead.data": str(tmp_path / "data"),
        "masthead.database.url": database_url,
        "masthead.auth.secrets": "4d0f2c77b1e94a8c9f63a1d85be27c06",
        "masthead.cache.size": "0",
        "masthead.cache.strict": "true",
        "masthead.plugins": " ".join(p.name for p in instance.plugins if p.name != "core"),
    }
    opened = open_instance(ini, {})
    yield opened
    opened.close()


@pytest.fixture
def newsroom(
    clock: Clock, app: Client, instance: Instance, uncached: Instance, tmp_path: Path
) -> Newsroom:
    return Newsroom(app, instance, uncached, clock, tmp_path / "kept.db")


@pytest.mark.slow
@profile(
    max_examples=12,
    derandomize=True,
)
@given(st.lists(st.tuples(st.sampled_from(STEPS), st.integers(1, 8)), min_size=1, max_size=8))
def test_a_read_after_any_writes_is_the_same_with_and_without_a_cache(
    app: Client, newsroom: Newsroom, uncached: Instance, steps: list[tuple[str, int]]
) -> None:
    plain = TestApp(app_of(uncached))

    for step, number in steps:
        newsroom.do(step, number)

        for address in ADDRESSES:
            cached = app.get(address, status="*", extra_environ=_immediate_answer(app, address))
            expected = plain.get(address, status="*")
            assert cached.body == expected.body, (step, address)
            assert cached.headers.get("X-Total-Count") == expected.headers.get("X-Total-Count")
            again = app.get(address, status="*", extra_environ=_immediate_answer(app, address))
            assert again.body == cached.body
            assert again.headers.get("ETag") == cached.headers.get("ETag")
