"""Plugins that are asked before content becomes public."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from sqlalchemy.orm import Session

from masthead import Objection, Plugin, Publication, PublicationWay, hookimpl
from masthead.testing import Desk

SOON = "2096-01-01T00:00:00.000Z"


class Gate:
    """Objects to each toy without a maker, and records the calls."""

    def __init__(self) -> None:
        self.calls = list[Sequence[Publication]]()

    @hookimpl
    def masthead_publishing(
        self, session: Session, publications: Sequence[Publication]
    ) -> list[Objection]:
        assert session.is_active
        self.calls.append(publications)
        nameless = [each for each in publications if not each.values.get("maker", "none")]
        return [Objection(each, "maker", "A toy needs a maker") for each in nameless]


GATE = Gate()


@pytest.fixture
def plugins(plugins: list[Plugin]) -> list[Plugin]:
    return [*plugins, Plugin(name="gate", hooks=(GATE,))]


@pytest.fixture
def calls() -> Iterator[list[Sequence[Publication]]]:
    GATE.calls.clear()
    yield GATE.calls
    GATE.calls.clear()


def test_hook_publishing_gets_what_becomes_public(
    toys: Desk, calls: list[Sequence[Publication]]
) -> None:
    item = toys.create(maker="Ada", note="Secret")["id"]
    toys.publish(item)
    toys.edit(item, maker="Ben", scheduledPublishAt=SOON)
    toys.publish(item)

    first, second = (each for [each] in calls)
    assert (first.kind, first.item_id, first.title) == ("toys", item, "A title")
    assert (first.values["maker"], first.before, first.since) == ("Ada", None, None)
    assert first.values["tagIds"] == []
    assert not {"note", "scheduledPublishAt"} & first.values.keys()
    assert (first.way, first.caller and first.caller.username) == (
        PublicationWay.APPROVAL,
        "some-admin",
    )
    assert second.since is not None
    assert second.since.isoformat() == "2096-01-01T00:00:00+00:00"
    assert second.before is not None
    assert (second.values["maker"], second.before["maker"]) == ("Ben", "Ada")


def test_hook_publishing_is_called_once_for_many_items(
    toys: Desk, memos: Desk, calls: list[Sequence[Publication]]
) -> None:
    items = [toys.create(maker=maker)["id"] for maker in ("Ada", None, "Ben")]
    for item in items:
        toys.request(item)
    admin = toys.as_role("admin")

    answer = admin.move_many("approve", items)
    assert [[each.item_id for each in call] for call in calls] == [items]
    problem = {"path": "maker", "code": "not_allowed", "message": "A toy needs a maker"}
    assert answer["affected"] == 2
    assert answer["failed"] == [
        {
            "contentType": "toys",
            "id": items[1],
            "error": "maker: A toy needs a maker",
            "status": 400,
            "code": "not_allowed",
            "fields": [problem],
        }
    ]
    calls.clear()
    admin.bulk("unpublish", [items[0], items[2]])
    admin.edit(items[2], maker=None)

    answer = admin.bulk("publish", items)
    assert [[each.item_id for each in call] for call in calls] == [[items[0], items[2]]]
    assert answer["affected"] == 1
    assert answer["failed"][1] == {
        "id": items[2],
        "error": "maker: A toy needs a maker",
        "fields": [problem],
    }
    assert memos.publish(memos.create()["id"])["published"]


def test_hook_publishing_is_asked_of_each_copy_that_changes(
    toys: Desk, calls: list[Sequence[Publication]]
) -> None:
    """An edit of the live copy also changes the edit that waits for its time."""
    item = toys.create(maker="Ada")["id"]
    toys.publish(item)
    toys.edit(item, title="Next", scheduledPublishAt=SOON)
    toys.publish(item)
    calls.clear()

    toys.as_role("admin").edit(item, maker="Ben", live=True)
    [copies] = calls
    assert [(each.values["title"], each.since is None) for each in copies] == [
        ("A title", True),
        ("Next", False),
    ]
    answer = toys.as_role("admin").edit(item, maker=None, live=True, status=400)
    assert len(answer["fields"]) == 1


def test_hook_publishing_is_not_called_for_other_changes(
    toys: Desk, calls: list[Sequence[Publication]]
) -> None:
    item = toys.create(maker="Ada")["id"]
    toys.publish(item)
    calls.clear()

    toys.edit(item, note="For staff")
    toys.as_role("admin").edit(item, note="For staff only")
    toys.edit(item, maker="Ben")
    assert calls == []
