"""Slugs that staff choose and change, and the addresses that the items have left."""

from __future__ import annotations

from typing import Any

import pytest

from masthead import Instance, change_organisation
from masthead.testing import Client, Clock, Desk

ELSEWHERE = "slug: Still leads to another item"


def redirects(app: Client) -> dict[str, str]:
    return {each["from"]: each["to"] for each in app.get("/api/redirects").json}


def test_a_chosen_slug_is_kept_and_null_makes_one_from_the_title(memos: Desk) -> None:
    item = memos.create(title="Working title", slug="chosen")
    assert item["slug"] == "chosen"
    assert memos.edit(item["id"], title="Final title")["slug"] == "chosen"
    assert memos.edit(item["id"], title="Last title", slug="chosen")["slug"] == "chosen"

    assert memos.edit(item["id"], slug=None)["slug"] == "last-title"
    assert memos.edit(item["id"], title="Very last", slug="last-title")["slug"] == "very-last"
    assert memos.create(title="Blank", slug=" ")["slug"] == "blank"


@pytest.mark.parametrize("slug", ["Ünder Strom", "a--b", "-a", "a_b", "x" * 81, "a/b", "news.html"])
def test_a_malformed_slug_is_refused_with_a_suggestion(memos: Desk, slug: str) -> None:
    refused = memos.create(title="Memo", slug=slug, status=400)["error"]

    assert refused.startswith("slug: Must be made of a-z, 0-9 and single hyphens")
    suggestion = refused.rpartition("such as ")[2]
    assert memos.create(title="Memo", slug=suggestion)["slug"] == suggestion


def test_no_item_has_the_slug_of_another_endpoint(app: Client, memos: Desk) -> None:
    item = memos.create_public(title="Mine")

    assert item["slug"] == "mine-2"
    for refused in (
        memos.create(title="X", slug="mine", status=400),
        memos.edit(item["id"], slug="mine", status=400),
    ):
        assert refused["error"] == "slug: Belongs to another part of the website"
    assert app.get("/api/memos/mine").json == {"success": True}
    assert memos.create(title="X", slug="mine-3")["slug"] == "mine-3"


@pytest.mark.parametrize("slug", [3, ["a"], {"a": 1}, True, "a\x00"])
def test_no_other_value_is_a_slug(memos: Desk, slug: Any) -> None:
    assert memos.create(title="Memo", slug=slug, status=400)["error"].startswith("slug: ")


def test_the_slug_of_another_item_is_refused(memos: Desk, toys: Desk) -> None:
    memos.create(title="Garden")
    other = memos.create(title="Other")

    assert memos.create(title="X", slug="garden", status=400)["error"] == "slug: already taken"
    refused = memos.edit(other["id"], title="New", slug="garden", status=400)
    assert refused["error"] == "slug: already taken"
    assert memos.show(other["id"])["title"] == "Other"
    assert toys.create(title="X", slug="garden")["slug"] == "garden"


def test_only_addresses_that_were_public_are_remembered(app: Client, memos: Desk) -> None:
    item = memos.create(title="Memo", slug="typo")
    memos.edit(item["id"], slug="right")
    memos.publish(item["id"])
    chief = memos.as_role("admin")

    chief.edit(item["id"], slug="better")
    chief.edit(item["id"], published=False)
    assert redirects(app) == {}
    assert memos.public_item("right", status=404) == {"error": "Not found"}
    chief.edit(item["id"], slug="best", published=True)

    assert redirects(app) == {"/memos/right": "/memos/best", "/memos/better": "/memos/best"}
    assert memos.public_item("typo", status=404) == {"error": "Not found"}
    moved = memos.public_item("right", status=404)["movedTo"]
    assert moved == {
        "slug": "best",
        "path": "/memos/best",
        "url": "http://127.0.0.1:6543/memos/best",
    }


def test_a_former_slug_is_given_to_no_other_item_without_a_word(app: Client, memos: Desk) -> None:
    chief = memos.as_role("admin")
    item = memos.create_public(title="Garden")
    chief.edit(item["id"], slug="park")

    assert memos.create(title="Garden")["slug"] == "garden-2"
    assert chief.create(title="X", slug="garden", status=400)["error"].startswith(ELSEWHERE)
    other = memos.create_public(title="Another")
    assert chief.edit(other["id"], slug="garden", status=400)["error"].startswith(ELSEWHERE)

    assert chief.edit(other["id"], slug="garden", takeOver=True)["slug"] == "garden"
    assert memos.public_item("garden")["id"] == other["id"]
    assert redirects(app) == {"/memos/another": "/memos/garden"}


def test_an_item_gets_its_own_former_slug_back(app: Client, memos: Desk) -> None:
    chief = memos.as_role("admin")
    item = memos.create_public(title="Garden")
    chief.edit(item["id"], slug="park")

    assert chief.edit(item["id"], slug="garden")["slug"] == "garden"

    assert redirects(app) == {"/memos/park": "/memos/garden"}
    assert memos.public_item("garden")["id"] == item["id"]


def test_a_staged_slug_waits_for_the_approval(app: Client, memos: Desk) -> None:
    item = memos.create_public(title="Garden")

    staged = memos.edit(item["id"], slug="park")
    assert (staged["slug"], staged["staged"]) == ("park", True)
    assert memos.public_item("garden")["id"] == item["id"]
    memos.public_item("park", status=404)
    assert redirects(app) == {}
    taken = memos.as_role("admin").create(title="Park")
    memos.request(item["id"])
    refused = memos.as_role("admin").approve(item["id"], status=400)
    assert refused["error"] == "slug: already taken"
    memos.as_role("admin").delete(taken["id"])

    memos.as_role("admin").approve(item["id"])
    assert memos.public_item("park")["id"] == item["id"]
    assert redirects(app) == {"/memos/garden": "/memos/park"}


def test_a_staged_slug_that_is_taken_at_its_time_leaves_the_live_one(
    clock: Clock, memos: Desk
) -> None:
    item = memos.create_public(title="Garden")
    memos.edit(item["id"], title="Park", slug="park", scheduledPublishAt="2026-03-02T00:00:00Z")
    memos.publish(item["id"])
    memos.as_role("admin").create(title="X", slug="park")

    clock.move_to("2026-03-02T00:00:01Z")

    assert memos.public_item("garden")["title"] == "Park"


def test_deleting_an_item_frees_its_slugs(app: Client, memos: Desk) -> None:
    item = memos.create_public(title="Garden")
    memos.as_role("admin").edit(item["id"], slug="park")
    memos.delete(item["id"])

    assert redirects(app) == {}
    assert memos.public_item("garden", status=404) == {"error": "Not found"}
    assert memos.create(title="Garden")["slug"] == "garden"


def test_a_draft_without_a_slug_can_get_one(toys: Desk) -> None:
    item = toys.create(title="Robot", slug="chosen")
    other = toys.create(title="Kite")

    assert item["slug"] == "chosen"
    assert toys.edit(other["id"], title="Blue kite")["slug"] is None
    assert toys.edit(other["id"], slug="kites")["slug"] == "kites"
    assert toys.publish(other["id"])["slug"] == "kites"


def test_a_slug_is_spelled_as_the_language_of_the_item_does(
    memos: Desk, instance: Instance
) -> None:
    titles = {"de": "Über Öl", "da": "Blå Øl", "sv": "Blå Öl", None: "Über Öl"}
    slugs = [memos.create(title=title, lang=lang)["slug"] for lang, title in titles.items()]
    assert slugs == ["ueber-oel", "blaa-oel", "bla-ol", "uber-ol"]
    item = memos.create(title="Grün")
    assert memos.edit(item["id"], lang="de")["slug"] == "gruen"

    with instance.database.session() as session, session.begin():
        change_organisation(session, {"language": "de-AT"})
    assert memos.create(title="Größe für alle")["slug"] == "groesse-fuer-alle"
    # Its slug is older than the language of the organisation.
    assert memos.edit(memos.create(title="Tür", lang="en")["id"], title="Fön")["slug"] == "fon"
