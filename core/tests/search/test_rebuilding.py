"""Rebuilding the search index."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import delete, select

from masthead.cli.first_start import prepare
from masthead.content import reindexing
from masthead.content.contenttype import ContentType
from masthead.db import Database
from masthead.db.once import OnceMarker
from masthead.http.environ import CACHE_KEY
from masthead.instance import Instance
from masthead.testing import Clock, Desk


def empty(database: Database) -> None:
    with database.engine.begin() as connection:
        connection.exec_driver_sql("DELETE FROM core_search")


def titles(items: Any) -> list[str]:
    return sorted(item["title"] for item in items)


def test_a_lost_index_is_rebuilt(
    instance: Instance, notes: Desk, letters: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reindexing, "BATCH", 2)
    staged = notes.create_public(title="First word")
    notes.edit(staged["id"], title="Staged word")
    notes.create_public(title="Second word")
    notes.create(title="Third word")
    letters.create_public(title="Word of a letter")
    empty(instance.database)
    assert notes.public_list(search="word") == []

    assert reindexing.count_items(instance) == 4
    assert sum(reindexing.reindex(instance)) == 4

    assert titles(notes.public_list(search="word")) == ["First word", "Second word"]
    assert titles(notes.list(search="word")) == ["Second word", "Staged word", "Third word"]
    assert titles(letters.public_list(search="word")) == ["Word of a letter"]


def test_a_second_rebuild_changes_nothing(instance: Instance, notes: Desk) -> None:
    notes.create_public(title="A word")

    assert list(reindexing.reindex(instance)) == list(reindexing.reindex(instance)) == [1]

    assert titles(notes.public_list(search="word")) == ["A word"]


def test_items_that_bulk_writes_deleted_are_removed_from_the_index(
    instance: Instance, notes: Desk, notes_type: ContentType
) -> None:
    notes.create_public(title="A word")
    with instance.database.transaction() as session:
        session.execute(delete(notes_type.model))

    list(reindexing.reindex(instance))

    with instance.database.read() as connection:
        rows = connection.exec_driver_sql("SELECT count(*) FROM core_search").scalar_one()
    assert rows == 0


def test_a_staged_value_that_needs_no_approval_any_more_is_not_found(
    instance: Instance, letters: Desk, letters_type: ContentType
) -> None:
    letter = letters.create_public(title="A word", sender="Ada", shelf="Attic")
    letters.edit(letter["id"], title="Another word")
    with instance.database.transaction() as session:
        item = session.get(letters_type.model, letter["id"])
        assert item is not None
        item.staged = {**item.staged, "shelf": "Cellar"}

    list(reindexing.reindex(instance))

    for found in (letters.list, letters.public_list):
        assert len(found(search="attic word")) == 1
        assert found(search="cellar") == []


def test_a_cached_answer_is_dropped_after_the_rebuild(instance: Instance, notes: Desk) -> None:
    notes.create_public(title="A word")
    notes.client.get("/api/notes?search=word")
    assert CACHE_KEY not in notes.client.get("/api/notes?search=word").request.environ

    list(reindexing.reindex(instance))

    assert CACHE_KEY in notes.client.get("/api/notes?search=word").request.environ


def test_items_that_another_release_has_indexed_are_indexed_again(
    instance: Instance,
    notes: Desk,
    letters: Desk,
    work: Callable[[], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reindexing, "BATCH", 2)
    for number in range(5):
        notes.create_public(title=f"Word {number}")
    letters.create_public(title="Word of a letter")
    empty(instance.database)
    with instance.database.transaction() as session:
        session.execute(delete(OnceMarker).where(OnceMarker.kind == "search"))
    before = notes.client.get("/api/notes", {"search": "word"}).headers["ETag"]

    prepare(instance)
    assert notes.public_list(search="word") == []
    work()

    assert len(notes.public_list(search="word")) == 5
    assert len(letters.public_list(search="word")) == 1
    answer = notes.client.get("/api/notes", {"search": "word"}, headers={"If-None-Match": before})
    assert answer.status_int == 200


def test_a_later_start_indexes_nothing_again(
    clock: Clock, instance: Instance, notes: Desk, work: Callable[[], None]
) -> None:
    prepare(instance)
    work()
    notes.create_public(title="A word")
    empty(instance.database)

    clock.shift(minutes=2)
    prepare(instance)
    work()

    assert notes.public_list(search="word") == []


def test_a_change_of_the_searched_fields_indexes_the_items_of_that_type_again(
    clock: Clock,
    instance: Instance,
    notes: Desk,
    letters: Desk,
    work: Callable[[], None],
) -> None:
    prepare(instance)
    work()
    notes.create_public(title="A word")
    letters.create_public(title="A word")
    empty(instance.database)
    with instance.database.transaction() as session:
        marker = session.scalars(
            select(OnceMarker).where(OnceMarker.kind == "search", OnceMarker.name.like("letters %"))
        ).one()
        marker.name = "letters of-another-release"

    clock.shift(minutes=2)
    prepare(instance)
    work()

    assert notes.public_list(search="word") == []
    assert len(letters.public_list(search="word")) == 1
