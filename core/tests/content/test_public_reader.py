"""Readers for feeds and calendars get the items that the public sees, and no other field."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from masthead import ContentType, Instance, PublicReader, StartError, utcnow
from masthead.testing import Desk
from masthead.testing.clock import Clock

FIELDS = ("id", "slug", "title", "maker", "tags", "author", "changedAt")


def newest(
    instance: Instance, content_type: ContentType, limit: int = 50, fields: Any = FIELDS
) -> Any:
    reader = PublicReader(content_type, instance.database, fields)
    with instance.database.read() as connection:
        return [dict(item) for item in reader.read_newest(connection, limit)]


def titles(items: Iterable[Any]) -> list[str]:
    return [item["title"] for item in items]


def test_values_equal_those_of_public_answers_except_that_times_are_datetimes(
    clock: Clock, instance: Instance, toys: Desk, toys_type: ContentType, make_tag: Any
) -> None:
    tag = make_tag("Wood")
    item = toys.create_public(title="Ball", maker="Ada", tagIds=[tag["id"]])

    [found] = newest(instance, toys_type)

    shown = toys.public_item("ball")
    assert found == {**{name: shown[name] for name in FIELDS[:-1]}, "changedAt": clock.now()}
    assert found["id"] == item["id"]


def test_the_newest_items_have_the_order_of_the_list(
    clock: Clock, instance: Instance, toys: Desk, toys_type: ContentType
) -> None:
    for title, order in (("Oldest", 3), ("Middle", 2), ("Newest", 9)):
        toys.create_public(title=title, displayOrder=order)
        clock.shift(hours=1)

    assert titles(newest(instance, toys_type)) == ["Middle", "Oldest", "Newest"]
    assert titles(newest(instance, toys_type, 2)) == ["Middle", "Newest"]


def test_a_list_that_begins_with_the_newest_is_cut_off_at_the_end(
    clock: Clock, instance: Instance, memos: Desk, memos_type: ContentType
) -> None:
    for title in ("First", "Second", "Third"):
        memos.create_public(title=title)
        clock.shift(hours=1)

    assert titles(newest(instance, memos_type, 2, ["title"])) == ["Third", "Second"]


def test_pages_are_ordered_by_id_and_miss_no_item(
    instance: Instance, toys: Desk, toys_type: ContentType
) -> None:
    made = [toys.create_public(displayOrder=n)["id"] for n in (3, 1, 2, 5, 4)]
    reader = PublicReader(toys_type, instance.database, ["id"])

    with instance.database.read() as connection:
        count = reader.count(connection)
        pages = [[item["id"] for item in reader.read_page(connection, 2, n)] for n in (0, 2, 4)]

    assert count == 5
    assert pages == [made[:2], made[2:4], made[4:]]


def test_hidden_items_are_in_no_page_and_not_counted(
    instance: Instance, toys: Desk, toys_type: ContentType
) -> None:
    toys.create(title="Draft")
    unpublished = toys.create_public(title="Unpublished")
    toys.edit(unpublished["id"], published=False)
    toys.create_public(title="Scheduled", scheduledPublishAt="2099-01-01")
    reader = PublicReader(toys_type, instance.database, ["id"])

    with instance.database.read() as connection:
        found = [*reader.read_newest(connection, 9), *reader.read_page(connection, 9, 0)]
        assert (found, reader.count(connection)) == ([], 0)
        assert reader.last_change(connection) is None


def test_the_last_change_is_the_later_of_an_edit_and_an_appearance(
    clock: Clock, instance: Instance, toys: Desk, toys_type: ContentType
) -> None:
    toys.create_public(scheduledPublishAt="2026-03-05")
    reader = PublicReader(toys_type, instance.database, ["id"])

    def last_change() -> str:
        with instance.database.read() as connection:
            return f"{reader.last_change(connection):%m-%d}"

    clock.move_to("2026-03-06T00:00:00Z")
    assert last_change() == "03-05"
    toys.create_public(title="Another")
    assert last_change() == "03-06"


@pytest.mark.parametrize("name", ["note", "approvalStatus", "updatedAt", "listed", "nothing"])
def test_a_field_that_the_public_does_not_see_is_refused(
    instance: Instance, toys_type: ContentType, name: str
) -> None:
    with pytest.raises(StartError, match=f"^toys: the public sees no field {name}$"):
        PublicReader(toys_type, instance.database, ["id", name])


def changed_at(instance: Instance, content_type: ContentType, item: Any) -> Any:
    with instance.database.session(read_only=True) as session:
        return session.get_one(content_type.model, item["id"]).changed_at


def test_the_time_of_change_is_that_of_the_live_copy(
    clock: Clock, instance: Instance, toys: Desk, toys_type: ContentType
) -> None:
    item = toys.create_public(title="Ball")

    def moves(change: Any) -> bool:
        clock.shift(minutes=1)
        change()
        return bool(changed_at(instance, toys_type, item) == utcnow())

    admin = toys.as_role("admin")
    assert moves(lambda: admin.edit(item["id"], title="Red ball"))
    assert not moves(lambda: admin.edit(item["id"], title="Red ball"))
    assert moves(lambda: toys.edit(item["id"], displayOrder=4))
    assert not moves(lambda: toys.edit(item["id"], title="Blue ball"))
    assert not moves(lambda: toys.request(item["id"]))
    assert moves(lambda: admin.approve(item["id"]))
    assert moves(lambda: toys.edit(item["id"], published=False))
    assert moves(lambda: toys.bulk("publish", [item["id"]]))
    assert not moves(lambda: toys.bulk("publish", [item["id"]]))
