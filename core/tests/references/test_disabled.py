"""References to the items of a disabled plugin stay, and nobody sees these items."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from sqlalchemy import update

from masthead import ContentType, Instance, Plugin
from masthead.references.models import ItemReference
from masthead.testing import Desk


@pytest.fixture
def plugins(plugins: Sequence[Plugin]) -> Sequence[Plugin]:
    return [each for each in plugins if each.name == "concerts"]


def test_stored_references_stay_and_new_ones_are_refused(
    instance: Instance, concerts: Desk, concerts_type: ContentType
) -> None:
    item = concerts.create_public()
    with instance.database.transaction() as session:
        session.execute(
            update(concerts_type.model).values(venue_id=3, band_ids=[5, 6], listed=None)
        )

    edited = concerts.edit(item["id"], title="New", venueId=3, bandIds=[6, 5])
    staged = concerts.edit(item["id"], venueId=None, content="<p>Text</p>", stage=True)
    back = concerts.edit(item["id"], venueId=3, stage=True)
    refused = concerts.edit(item["id"], venueId=4, status=400)
    embedded = concerts.public_list(embed="venue", status=400)

    assert (edited["venueId"], edited["bandIds"]) == (3, [6, 5])
    assert (staged["venueId"], back["venueId"]) == (None, 3)
    assert refused["fields"] == [
        {
            "path": "venueId",
            "code": "not_allowed",
            "message": "venues can't be chosen: no enabled plugin has it",
        }
    ]
    assert embedded["error"] == "embed: Must be one of sequel"
    [shown] = concerts.public_list()
    assert (shown["title"], shown["venueId"], shown["bandIds"]) == ("New", None, [])
    assert concerts.public_list(venueId=3) == []
    assert [each["id"] for each in concerts.list(venueId=3)] == [item["id"]]
    assert concerts.publish(item["id"])["venueId"] == 3


def test_a_check_warns_of_kinds_that_no_enabled_plugin_has(instance: Instance) -> None:
    [check] = [each for each in instance.all_checks if each.name == "references.targets"]

    trouble = check.trouble(instance)

    assert trouble is not None
    assert trouble.startswith("concerts.venueId refers to venues, which no enabled plugin has; ")
    assert "concerts.sequelId" not in trouble


def test_the_references_of_a_disabled_plugin_still_count(
    instance: Instance, concerts: Desk
) -> None:
    item = concerts.create()["id"]
    facts = {"target": "concerts", "live": True, "shown": True}
    with instance.database.transaction() as session:
        row = {"kind": "operas", "item_id": 9, "field": "concertId", "target_id": item}
        session.add(ItemReference(**row, **facts))

    assert concerts.delete(item, status=400)["error"] == "Concert is used: operas 9"
