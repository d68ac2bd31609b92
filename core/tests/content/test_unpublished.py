"""A content type is notified of items that the public no longer sees."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta
from itertools import product
from typing import Any

import pytest
from sqlalchemy import select
from sqlalchemy.orm import DeclarativeBase, Session

from masthead import (
    Approvable,
    ContentItem,
    ContentType,
    Instance,
    Plugin,
    hookimpl,
    plugin_metadata,
)
from masthead.content.visibility import (
    STATES,
    hidden_ids,
    is_visible,
    now_parameters,
    state,
    visible_ids,
)
from masthead.core_plugin import plugin as core
from masthead.db import Database, utcnow
from masthead.testing import Desk
from masthead.testing.client import Client
from masthead.testing.clock import Clock

notified: list[list[int]] = []


class Base(DeclarativeBase):
    metadata = plugin_metadata("signs")


class Sign(ContentItem, Base):
    __tablename__ = "signs_sign"


def record_ids(_session: Session, ids: Sequence[int]) -> None:
    """Remember the ids."""
    notified.append(list(ids))


SIGNS = ContentType(name="signs", label="Sign", model=Sign, unpublished=record_ids)


class Hooks:
    @hookimpl
    def masthead_content_types(self) -> list[Approvable]:
        return [SIGNS]


PLUGIN = Plugin(name="signs", hooks=(Hooks(),), base=Base)


@pytest.fixture
def plugins() -> list[Plugin]:
    return [core, PLUGIN]


@pytest.fixture
def desk(app: Client) -> Desk:
    notified.clear()
    return Desk(app, "signs").as_role("editor")


WAYS: dict[str, Callable[[Desk, list[int]], Any]] = {
    "unpublish": lambda desk, ids: [desk.edit(each, published=False) for each in ids],
    "unpublish at once": lambda desk, ids: desk.bulk("unpublish", ids),
    "postpone": lambda desk, ids: [
        desk.as_role("admin").edit(each, scheduledPublishAt="2036-01-01") for each in ids
    ],
    "delete": lambda desk, ids: [desk.delete(each) for each in ids],
    "delete at once": lambda desk, ids: desk.bulk("delete", ids),
}


@pytest.mark.parametrize("way", WAYS)
def test_it_is_notified_of_visible_items_only(way: str, desk: Desk) -> None:
    shown = [desk.create_public()["id"] for _ in range(2)]
    draft = desk.create()["id"]
    scheduled = desk.create_public(scheduledPublishAt="2035-01-01")["id"]
    assert notified == []

    WAYS[way](desk, [*shown, draft, scheduled])

    assert sorted(each for ids in notified for each in ids) == shown
    assert len(notified) == (1 if "at once" in way else 2)


def test_it_is_not_notified_of_changes_that_leave_an_item_public(desk: Desk) -> None:
    item = desk.create_public()["id"]
    desk.edit(item, title="Staged")
    desk.request(item)
    desk.as_role("admin").reject(item)
    desk.as_role("admin").edit(item, title="Live", scheduledPublishAt="2020-01-01")

    assert notified == []


def test_an_item_that_one_step_hides_and_another_shows_is_not_unpublished(
    desk: Desk, database: Database
) -> None:
    item_id = desk.create_public()["id"]

    with database.transaction() as session:
        item = session.get_one(Sign, item_id)
        item.published = False
        session.flush()
        item.published = True

    assert notified == []


def test_both_forms_of_the_predicate_agree(clock: Clock, desk: Desk, instance: Instance) -> None:
    now, instant = utcnow(), timedelta(milliseconds=1)
    assert clock.now() == now
    times = (None, now - instant, now, now + instant)
    states = list(product((True, False), times, times))
    ids = [desk.create()["id"] for _ in states]
    with instance.database.transaction() as session:
        for item_id, (published, due, until) in zip(ids, states, strict=True):
            item = session.get_one(Sign, item_id)
            item.published, item.scheduled_publish_at = published, due
            item.scheduled_unpublish_at = until

    with instance.database.read() as connection:
        seen = visible_ids(connection, SIGNS.table, ids)
        table = SIGNS.table
        hidden = set(connection.scalars(hidden_ids(table), now_parameters()))
        named = dict(connection.execute(select(table.c.id, state(table)), now_parameters()).all())

    assert hidden == set(ids) - seen
    assert seen == {item_id for item_id, name in named.items() if name == "visible"}
    visible = [
        published and due in times[:3] and until in (None, times[3])
        for published, due, until in states
    ]
    assert [item_id in seen for item_id in ids] == visible
    with instance.database.session(read_only=True) as session:
        items = [session.get_one(Sign, item_id) for item_id in ids]
        assert [is_visible(item, now) for item in items] == visible
    listed = {name: {each["id"] for each in desk.list(visibility=name)} for name in STATES}
    assert listed == {name: {i for i in ids if named[i] == name} for name in STATES}
