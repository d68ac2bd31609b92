"""The events of content and approval: after the commit, and with public facts only."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from masthead import Instance
from masthead.testing import Client, Desk
from masthead.testing.clock import Clock
from masthead_webhooks.events import announce_due

Make = Callable[..., Any]
STAFF = "/api/staff/webhooks"


@pytest.fixture
def events(log: Make) -> Make:
    """Returns event, id and slug of the deliveries of a webhook, oldest first."""

    def read(webhook: Any) -> list[tuple[str, int, str | None]]:
        found = [json.loads(each["payload"]) for each in reversed(log(webhook))]
        return [(each["type"], each["data"]["id"], each["data"]["slug"]) for each in found]

    return read


def test_each_public_change_is_one_event(
    clock: Clock, ships: Desk, make_webhook: Make, events: Make
) -> None:
    webhook = make_webhook()

    ship = ships.create(title="Argo")["id"]
    assert events(webhook) == []
    ships.publish(ship)
    clock.shift(seconds=1)
    admin = ships.as_role("admin")
    admin.edit(ship, content="<p>Sails</p>")
    clock.shift(seconds=1)
    admin.edit(ship, published=False)
    admin.edit(ship, published=True)
    admin.delete(ship)
    other = ships.create(title="Beagle")["id"]
    ships.delete(other)

    names = ["published", "changed", "withdrawn", "published", "withdrawn"]
    assert events(webhook) == [(f"content.{each}", ship, "argo") for each in names]


def test_bulk_operations_are_events(ships: Desk, make_webhook: Make, events: Make) -> None:
    ids = [ships.create_public(title=title)["id"] for title in ("Argo", "Beagle")]
    draft = ships.create(title="Calypso")["id"]
    webhook = make_webhook("content.withdrawn")

    ships.as_role("admin").bulk("delete", [*ids, draft])

    assert [each[1] for each in events(webhook)] == ids


def test_no_event_tells_of_drafts(clock: Clock, ships: Desk, make_webhook: Make, log: Make) -> None:
    webhook = make_webhook("*")
    drafted = ships.create(title="Secret launch", content="<p>Secret cargo</p>")["id"]
    ships.request(drafted)
    ships.as_role("admin").reject(drafted, reason="Secret reason")
    live = ships.create_public(title="Argo")["id"]
    clock.shift(seconds=1)
    ships.edit(live, title="Secret name", content="<p>Secret staged</p>")
    ships.request(live)

    found = log(webhook)

    assert "ecret" not in json.dumps(found)
    facts = [json.loads(each["payload"]) for each in found]
    assert [each["type"] for each in reversed(facts)] == [
        *("approval.request", "approval.reject"),
        *("approval.request", "approval.approve", "content.published", "approval.request"),
    ]
    for each in facts:
        assert each.keys() == {"type", "timestamp", "data"}
        assert each["data"].keys() == {"contentType", "id", "slug", "change"}
    assert [each["data"]["slug"] for each in facts if each["data"]["id"] == drafted] == [None] * 2


def test_webhooks_choose_events_and_types(
    app: Client, ships: Desk, make_webhook: Make, events: Make
) -> None:
    boats = Desk(app, "boats").as_role("editor")
    chosen = [
        make_webhook("content.published", contentTypes=["boats"]),
        make_webhook("approval.*"),
        make_webhook("*"),
        make_webhook("*", active=False),
    ]

    ships.create_public()
    boats.create_public()

    numbers = [len(events(each)) for each in chosen]
    assert numbers == [1, 4, 6, 0]


def test_a_rolled_back_change_is_no_event(
    instance: Instance, ships: Desk, make_webhook: Make, events: Make
) -> None:
    webhook = make_webhook("*")
    model = instance.content_types["ships"].model
    ship = ships.create(title="Argo")["id"]

    with instance.database.session() as session:
        session.get(model, ship).published = True
        instance.hooks.masthead_committing(session=session)
        session.rollback()
    with instance.database.transaction() as session:
        savepoint = session.begin_nested()
        session.get(model, ship).published = True
        session.flush()
        savepoint.rollback()

    assert events(webhook) == []


def test_scheduled_items_are_announced_at_their_time(
    clock: Clock, instance: Instance, ships: Desk, make_webhook: Make, events: Make
) -> None:
    def work() -> None:
        with instance.database.transaction() as session:
            announce_due(session)

    webhook = make_webhook()
    clock.shift(seconds=1)
    work()
    later = "2026-03-01T10:00:00.000Z"
    ship = ships.create_public(title="Argo", scheduledPublishAt=later)["id"]
    gone = ships.create_public(title="Beagle", scheduledPublishAt=later)["id"]
    ships.as_role("admin").delete(gone)
    work()
    assert events(webhook) == []

    clock.move_to(later)
    # This transaction is later than the time, and the job has not announced the item yet.
    ships.as_role("admin").edit(ship, content="<p>Sails</p>")
    assert events(webhook) == [("content.published", ship, "argo")]
    work()
    work()
    assert events(webhook) == [("content.published", ship, "argo")]
    clock.shift(minutes=1)
    ships.as_role("admin").edit(ship, content="<p>More sails</p>")
    work()
    ships.as_role("admin").edit(ship, scheduledPublishAt="2026-04-01T10:00:00.000Z")
    assert [each[0] for each in events(webhook)][1:] == ["content.changed", "content.withdrawn"]


def test_items_that_vanish_are_announced_at_their_time(
    clock: Clock, instance: Instance, ships: Desk, make_webhook: Make, events: Make
) -> None:
    def work() -> None:
        with instance.database.transaction() as session:
            announce_due(session)

    webhook, until = make_webhook(), "2026-03-01T10:00:00.000Z"
    clock.shift(seconds=1)
    work()
    ids = [ships.create_public(scheduledUnpublishAt=until)["id"] for _ in range(3)]
    chief = ships.as_role("admin")
    before = events(webhook)

    clock.move_to(until)
    # The job has not announced that any of them vanished.
    chief.delete(ids[0])
    chief.edit(ids[1], scheduledUnpublishAt=None)
    work()
    work()

    kinds = [(name, item_id) for name, item_id, _slug in events(webhook)[len(before) :]]
    assert kinds == [
        ("content.withdrawn", ids[0]),
        ("content.changed", ids[1]),
        ("content.withdrawn", ids[2]),
    ]
