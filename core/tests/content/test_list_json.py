"""Stored list JSON, also after another version or set of plugins used the database."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from sqlalchemy import insert, select, update
from sqlalchemy.orm import Session

from masthead import ContentType, utcnow
from masthead.content.list_json import AT_ONCE, invalidate_outdated
from masthead.content.reindexing import reindex
from masthead.core_plugin import plugin as core
from masthead.instance import DATA, DATABASE_URL, PLUGINS, Instance, open_instance
from masthead.tags.services import change_tag
from masthead.testing import Client, Desk

MakeTag = Callable[[str], Any]


def start(instance: Instance) -> None:
    """Invalidate outdated list JSON, as every start does."""
    with instance.database.transaction() as session:
        invalidate_outdated(session, instance)


def stored_json(session: Session, content_type: ContentType) -> list[str | None]:
    table = content_type.table
    return list(session.scalars(select(table.c.listed).order_by(table.c.id)))


def test_a_tag_that_was_renamed_without_the_plugin_has_its_new_name_in_lists(
    instance: Instance, toys: Desk, make_tag: MakeTag
) -> None:
    tag = make_tag("Water")
    toys.create_public(tagIds=[tag["id"]])
    start(instance)
    names = (DATA, DATABASE_URL)
    ini = {name.name: str(instance.settings[name]) for name in names} | {PLUGINS.name: "core"}
    without = open_instance(ini, {}, {"core": core})
    start(without)
    with without.database.transaction() as session:
        change_tag(session, tag["id"], {"name": "Fire"})
    without.close()

    start(instance)

    assert [tag["name"] for tag in toys.public_list()[0]["tags"]] == ["Fire"]


def test_another_start_of_the_same_software_keeps_list_json(
    instance: Instance, toys: Desk, toys_type: ContentType, session: Session
) -> None:
    start(instance)
    toys.create_public()
    before = stored_json(session, toys_type)

    start(instance)

    assert stored_json(session, toys_type) == before != [None]


def test_the_worker_generates_missing_list_json(
    instance: Instance, toys: Desk, toys_type: ContentType, session: Session, work: Any
) -> None:
    for _ in range(3):
        toys.create_public()
    stored = stored_json(session, toys_type)
    with instance.database.transaction() as writing:
        writing.execute(update(toys_type.table).values(listed=None))

    work()

    assert stored_json(session, toys_type) == stored
    assert None not in stored


def test_a_reindex_repairs_the_effect_of_a_bulk_write(instance: Instance, toys: Desk) -> None:
    toys.create_public(title="Old")
    with instance.database.transaction() as writing:
        writing.execute(update(instance.content_types["toys"].model.__table__).values(title="New"))

    assert sum(reindex(instance)) == 1

    assert [item["title"] for item in toys.public_list()] == ["New"]
    assert [item["title"] for item in toys.public_list(search="new")] == ["New"]


def test_a_write_generates_its_own_list_json_and_leaves_other_items_to_the_worker(
    instance: Instance,
    toys: Desk,
    memos: Desk,
    toys_type: ContentType,
    memos_type: ContentType,
    session: Session,
    work: Any,
) -> None:
    written = toys.create_public()
    toys.create_public()
    memos.create_public()
    with instance.database.transaction() as writing:
        for content_type in (toys_type, memos_type):
            writing.execute(update(content_type.table).values(listed=None))

    toys.as_role("admin").edit(written["id"], maker="Ada")

    stored, other = stored_json(session, toys_type)
    assert json.loads(stored or "")["maker"] == "Ada"
    assert [other, *stored_json(session, memos_type)] == [None, None]
    work()
    assert None not in [*stored_json(session, toys_type), *stored_json(session, memos_type)]


def test_deleting_a_tag_leaves_no_list_json_missing(
    app: Client, toys: Desk, toys_type: ContentType, session: Session, make_tag: MakeTag
) -> None:
    tag = make_tag("Water")
    toys.create_public(tagIds=[tag["id"]])

    app.as_role("editor").delete(f"/api/staff/tags/{tag['id']}")

    [stored] = stored_json(session, toys_type)
    assert json.loads(stored or "")["tags"] == []


def test_renaming_an_author_of_many_items_leaves_the_rest_to_the_worker(
    instance: Instance, app: Client, memos_type: ContentType, session: Session, work: Any
) -> None:
    author = app.as_role("editor").get("/api/staff/profile").json
    row = {"published": True, "approval_status": "approved", "created_by": author["id"]}
    rows = [
        row | {"title": "A title", "slug": f"title-{number}", "position": utcnow(), "listed": "{}"}
        for number in range(AT_ONCE + 2)
    ]
    with instance.database.transaction() as writing:
        writing.execute(insert(memos_type.model), rows)

    app.as_role("editor").put_json("/api/staff/profile", {"displayName": "Ada"})

    assert stored_json(session, memos_type).count(None) == 2
    work()
    names = [json.loads(stored or "")["author"] for stored in stored_json(session, memos_type)]
    assert names == [{"displayName": "Ada"}] * len(rows)
