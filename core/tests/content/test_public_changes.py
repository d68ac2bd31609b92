"""The public changes of a transaction, as plugins read them before it commits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy.orm import Session

from masthead import PublicChange, hookimpl, public_changes, utcnow
from masthead.instance import Instance
from masthead.plugins import Plugin
from masthead.testing import Desk
from masthead.testing.client import Client
from masthead.testing.clock import Clock


class Listener:
    """A plugin that records the public changes of each transaction."""

    def __init__(self) -> None:
        self.told: list[PublicChange] = []

    @hookimpl
    def masthead_committing(self, session: Session) -> None:
        self.told += public_changes(session, utcnow())

    def take(self) -> list[tuple[str, int, str | None]]:
        found = [(each.change, each.item_id, each.slug) for each in self.told]
        self.told.clear()
        return found


@pytest.fixture
def listener() -> Listener:
    return Listener()


@pytest.fixture
def plugins(plugins: list[Plugin], listener: Listener) -> list[Plugin]:
    return [*plugins, Plugin(name="listener", hooks=(listener,))]


def test_only_changes_that_the_public_sees_are_told(
    clock: Clock, app: Client, listener: Listener, make_tag: Callable[[str], Any]
) -> None:
    toys = Desk(app, "toys").as_role("editor")
    admin = toys.as_role("admin")
    toy = toys.create(title="Top")["id"]
    toys.edit(toy, title="Spinning top")
    assert listener.take() == []

    toys.publish(toy)
    assert listener.take() == [("published", toy, "spinning-top")]
    for values, told in (
        ({"note": "Ours alone"}, False),
        ({"maker": "Ada"}, True),
        ({"tagIds": [make_tag("Wood")["id"]]}, True),
        ({"scheduledPublishAt": "2020-01-01T00:00:00.000Z"}, True),
    ):
        clock.shift(seconds=1)
        admin.edit(toy, **values)
        assert listener.take() == ([("changed", toy, "spinning-top")] if told else []), values
    toys.edit(toy, title="Staged")
    assert listener.take() == []
    admin.bulk("unpublish", [toy])
    assert listener.take() == [("withdrawn", toy, "spinning-top")]


def test_changes_of_one_transaction_are_one_and_undone_ones_none(
    clock: Clock, app: Client, instance: Instance, listener: Listener
) -> None:
    toy = Desk(app, "toys").as_role("editor").create_public(title="Top")["id"]
    model = instance.content_types["toys"].model
    listener.take()
    clock.shift(seconds=1)

    with instance.database.transaction() as session:
        item = session.get(model, toy)
        item.published = False
        session.flush()
        item.published = True
        session.flush()
        savepoint = session.begin_nested()
        item.changed_at = utcnow()
        session.flush()
        savepoint.rollback()
    assert listener.take() == []

    with instance.database.session() as session:
        session.get(model, toy).changed_at = utcnow()
        session.commit()
        assert listener.take() == [("changed", toy, "top")]
        # The next transaction of the session begins without the changes of the last one.
        session.get(model, toy).min_age = 3
        session.commit()
        assert listener.take() == []
