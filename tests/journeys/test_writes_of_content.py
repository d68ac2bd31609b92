"""A write of content with all installed plugins enabled touches only its own tables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import Engine, event

from masthead import ContentType, Instance, content_types_of
from masthead.testing import Client, Desk


@contextmanager
def recorded() -> Iterator[list[str]]:
    """Yield the statements that are executed meanwhile."""
    statements: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
        statements.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield statements
    finally:
        event.remove(Engine, "before_cursor_execute", note)


def touched(instance: Instance, statements: list[str]) -> list[str]:
    """Return the names of the content types whose tables statements name."""
    words = set(re.findall(r"\w+", " ".join(statements)))
    return [kind.name for kind in instance.content_types.values() if _tables(kind) & words]


def _tables(kind: Any) -> set[str]:
    links = {kind.links.name} if isinstance(kind, ContentType) else set()
    return {kind.model.__table__.name, *links}


@pytest.fixture
def desks(instance: Instance, app: Client) -> dict[str, Desk]:
    return {kind.name: Desk(app, kind.name).as_role("admin") for kind in content_types_of(instance)}


def test_an_edit_touches_no_table_of_another_content_type(
    instance: Instance, desks: dict[str, Desk]
) -> None:
    found = {}
    for name, desk in desks.items():
        item = desk.create_public(startDate="2026-03-01T12:00:00Z")
        with recorded() as statements:
            desk.edit(item["id"], title="Another title", content="<p>And a text.</p>")
        found[name] = touched(instance, statements)

    assert found == {name: [name] for name in desks}
    assert len(desks) > 2


def test_an_edit_writes_the_row_of_its_item_once_and_generates_its_list_json(
    desks: dict[str, Desk],
) -> None:
    item = desks["news"].create_public()

    with recorded() as statements:
        desks["news"].edit(item["id"], title="Another title", content="<p>And a text.</p>")

    written = [each for each in statements if each.startswith("UPDATE news_article ")]
    assert [each.split(" SET ")[1].startswith("listed=") for each in written] == [False, True]


def test_an_approval_touches_no_table_of_another_content_type(
    instance: Instance, desks: dict[str, Desk]
) -> None:
    found = {}
    for name, desk in desks.items():
        item = desk.create(startDate="2026-03-01T12:00:00Z")
        desk.request(item["id"])
        with recorded() as statements:
            desk.approve(item["id"])
        found[name] = touched(instance, statements)

    assert found == {name: [name] for name in desks}
