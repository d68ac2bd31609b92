"""Presence: users learn who else has an item open."""

from __future__ import annotations

import json
from typing import Any

import pytest
from sqlalchemy import func, select

from masthead import Instance
from masthead.db.content_version import ContentVersion
from masthead.presence.models import Presence
from masthead.presence.services import delete_old
from masthead.testing import Client, Clock, Desk


@pytest.fixture
def toys(clock: Clock, app: Client) -> Desk:  # noqa: ARG001 - stops the clock before
    return Desk(app, "toys").as_role("editor")


def path(item_id: int) -> str:
    return f"/api/staff/toys/{item_id}/presence"


def come(desk: Desk, item_id: int, **values: Any) -> Any:
    """Say that a user has an item open, and return the others."""
    return desk.client.put_json(path(item_id), values).json["others"]


def names(others: Any) -> list[tuple[str, bool]]:
    return [(each["user"]["username"], each["editing"]) for each in others]


def test_users_learn_who_else_has_an_item_open(toys: Desk, clock: Clock) -> None:
    item, other, admin = toys.create()["id"], toys.create()["id"], toys.as_role("admin")
    assert come(toys, item) == []
    since = "2026-03-01T09:30:00.000Z"
    clock.move_to(since)

    assert names(come(admin, item, editing=True)) == [("some-editor", False)]
    [shown] = come(toys, item)
    assert (shown["user"]["username"], shown["editing"]) == ("some-admin", True)
    assert shown["since"] == since
    assert come(toys, other) == []
    admin.client.delete(path(item))
    assert come(toys, item) == []
    toys.client.put_json(path(999), {}, status=404)
    toys.client.delete(path(999), status=404)


def test_who_gives_no_sign_of_life_has_left(toys: Desk, clock: Clock, instance: Instance) -> None:
    item, admin = toys.create()["id"], toys.as_role("admin")
    came = come(admin, item) or come(toys, item)[0]["since"]
    clock.shift(seconds=50)
    come(admin, item)
    clock.shift(seconds=50)
    assert come(toys, item)[0]["since"] == came
    clock.shift(seconds=10)
    assert come(toys, item) == []
    clock.shift(seconds=10)
    come(admin, item)
    assert come(toys, item)[0]["since"] > came

    clock.shift(seconds=61)
    with instance.database.transaction() as session:
        delete_old(session)
        assert session.scalar(select(func.count()).select_from(Presence)) == 0


def test_a_sign_of_life_tells_that_the_item_has_changed(toys: Desk) -> None:
    item = toys.create()
    answer = toys.client.put_json(path(item["id"]), {})
    assert answer.headers["ETag"] == toys.etag(item["id"])
    toys.as_role("admin").edit(item["id"], title="Other")

    headers = {"If-Match": answer.headers["ETag"]}
    toys.client.put_json(path(item["id"]), {}, headers=headers, status=412)


def test_a_presence_empties_no_cache(toys: Desk, instance: Instance) -> None:
    item = toys.create_public()

    def version() -> Any:
        with instance.database.read() as connection:
            return connection.execute(select(ContentVersion.__table__)).all()

    before = version()
    come(toys, item["id"], editing=True)
    toys.client.delete(path(item["id"]))
    assert version() == before


def test_live_events_name_the_others(toys: Desk) -> None:
    item, admin = toys.create()["id"], toys.as_role("admin")
    assert present(admin, item) == []
    come(toys, item, editing=True)
    come(admin, item)

    assert names(present(admin, item)) == [("some-editor", True)]
    assert names(present(toys, item)) == [("some-admin", False)]


def present(desk: Desk, item_id: int) -> Any:
    """Return the others in the live event of an item."""
    text = desk.client.get(f"/api/staff/live-events?watch=toys:{item_id}").text
    _, _, after = text.partition("event: presence\ndata: ")
    data = json.loads(after.partition("\n")[0])
    assert (data["contentType"], data["id"]) == ("toys", item_id)
    return data["others"]
