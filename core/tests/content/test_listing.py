"""The listings that are kept, when other software or other plugins come to the same database."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from masthead import ContentType
from masthead.content.listing import empty_outdated
from masthead.content.reindexing import reindex
from masthead.core_plugin import plugin as core
from masthead.instance import DATA, DATABASE_URL, PLUGINS, Instance, open_instance
from masthead.tags.services import rename_tag
from masthead.testing import Desk

MakeTag = Callable[[str], Any]


def start(instance: Instance) -> None:
    """Do what every start does to listings."""
    with instance.database.transaction() as session:
        empty_outdated(session, instance)


def kept(session: Session, content_type: ContentType) -> list[str | None]:
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
        rename_tag(session, tag["id"], "Fire")
    without.close()

    start(instance)

    assert [tag["name"] for tag in toys.public_list()[0]["tags"]] == ["Fire"]


def test_another_start_of_the_same_software_keeps_listings(
    instance: Instance, toys: Desk, toys_type: ContentType, session: Session
) -> None:
    start(instance)
    toys.create_public()
    before = kept(session, toys_type)

    start(instance)

    assert kept(session, toys_type) == before != [None]


def test_the_worker_fills_what_was_emptied(
    instance: Instance, toys: Desk, toys_type: ContentType, session: Session, work: Any
) -> None:
    for _ in range(3):
        toys.create_public()
    made = kept(session, toys_type)
    with instance.database.transaction() as writing:
        writing.execute(update(toys_type.table).values(listed=None))

    work()

    assert kept(session, toys_type) == made
    assert None not in made


def test_a_write_past_the_objects_is_mended_by_a_reindex(instance: Instance, toys: Desk) -> None:
    toys.create_public(title="Old")
    with instance.database.transaction() as writing:
        writing.execute(update(instance.content_types["toys"].model.__table__).values(title="New"))

    assert sum(reindex(instance)) == 1

    assert [item["title"] for item in toys.public_list()] == ["New"]
    assert [item["title"] for item in toys.public_list(search="new")] == ["New"]
