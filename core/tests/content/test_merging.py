"""Conflicts of two editors: both versions in the refusal, and merging of fields."""

from __future__ import annotations

from typing import Any

import pytest

from masthead.testing import Client, Clock, Desk


@pytest.fixture
def toys(clock: Clock, app: Client) -> Desk:  # noqa: ARG001 - stops the clock before
    return Desk(app, "toys").as_role("editor")


@pytest.fixture
def other(toys: Desk) -> Desk:
    """Another editor, with approval power."""
    return toys.as_role("admin")


def test_a_refused_change_carries_both_versions(toys: Desk, other: Desk) -> None:
    item = toys.create(title="A boat", description="It floats")
    other.edit(item["id"], title="A ship")
    after = toys.show(item["id"])

    by_header = toys.edit(item["id"], title="A raft", if_match='"1"', status=412)
    by_member = toys.edit(item["id"], title="A raft", etag="1", status=400)

    for refused in (by_header, by_member):
        conflict = refused["conflict"]
        assert (conflict["etag"], conflict["collisions"]) == ("2", ["title"])
        assert conflict["base"]["title"] == "A boat"
        assert conflict["current"]["title"] == "A ship"
        assert conflict["base"]["description"] == conflict["current"]["description"] == "It floats"
        assert conflict["current"]["tagIds"] == []
    assert toys.show(item["id"]) == after


@pytest.mark.parametrize("named", [{"if_match": '"1"'}, {"etag": "1"}])
def test_fields_that_one_side_has_changed_are_merged(
    toys: Desk, other: Desk, make_tag: Any, named: dict[str, str]
) -> None:
    tag = make_tag("Water")["id"]
    item = toys.create(title="A boat", description="It floats", maker="Ada", tagIds=[tag])
    other.edit(item["id"], title="A ship", tagIds=[])

    # The whole form, as the editor sees it, with one change.
    form = {"title": "A boat", "description": "It sinks", "maker": "Ada", "tagIds": [tag]}
    saved = toys.edit(item["id"], **form, merge=True, **named)

    assert saved["merged"] == ["tagIds", "title"]
    assert (saved["title"], saved["description"], saved["tags"]) == ("A ship", "It sinks", [])
    assert "merged" not in toys.show(item["id"])
    assert "merged" not in toys.edit(item["id"], title="A raft", merge=True, etag="3")


def test_fields_that_collide_are_named_and_nothing_changes(toys: Desk, other: Desk) -> None:
    item = toys.create(title="A boat", description="It floats", maker="Ada")
    other.edit(item["id"], title="A ship", maker="Bob")
    before = toys.show(item["id"])

    values = {"title": "A raft", "maker": "Cy", "description": "It sinks"}
    refused = toys.edit(item["id"], **values, merge=True, etag="1", status=400)

    assert refused["conflict"]["collisions"] == ["maker", "title"]
    assert refused["fields"][0]["code"] == "changed"
    assert toys.show(item["id"]) == before
    # Two who write the same don't collide.
    saved = toys.edit(item["id"], title="A ship", description="It sinks", merge=True, etag="1")
    assert (saved["title"], saved["maker"]) == ("A ship", "Bob")


def test_saves_that_were_folded_into_the_base_are_known_by_their_fields(
    toys: Desk, other: Desk
) -> None:
    item = toys.create(title="A boat", description="It floats")
    other.edit(item["id"], title="A ship")
    # This save replaces the values of revision 2, which the editor has read.
    other.edit(item["id"], title="A raft")

    saved = toys.edit(item["id"], description="It sinks", merge=True, etag="2")

    assert (saved["title"], saved["description"]) == ("A raft", "It sinks")
    refused = toys.edit(item["id"], title="A log", merge=True, etag="2", status=400)
    assert refused["conflict"]["base"] is None
    assert refused["conflict"]["collisions"] == ["title"]


def test_a_merged_edit_waits_for_approval_like_any_other(toys: Desk, other: Desk) -> None:
    item = toys.create_public(title="A boat", description="It floats")
    etag = toys.etag(item["id"])
    other.edit(item["id"], title="A ship")

    saved = toys.edit(item["id"], description="It sinks", merge=True, if_match=etag)

    assert (saved["staged"], saved["approvalStatus"]) == (True, "draft")
    assert (saved["title"], saved["description"]) == ("A ship", "It sinks")
    public = toys.public_list()[0]
    assert (public["title"], public["description"]) == ("A ship", "It floats")
    # Against what is staged now, too.
    refused = other.edit(item["id"], description="Oh", merge=True, if_match=etag, status=412)
    assert refused["conflict"]["current"]["description"] == "It sinks"


def test_an_edit_of_the_live_copy_is_not_merged_beside_staged_edits(
    toys: Desk, other: Desk
) -> None:
    item = toys.create_public(title="A boat", description="It floats")
    etag = toys.etag(item["id"])
    toys.edit(item["id"], title="A ship")
    values = {"title": "A ship", "live": True, "merge": True}

    refused = other.edit(item["id"], **values, if_match=etag, status=412)

    assert refused["conflict"]["current"]["title"] == "A ship"
    assert toys.public_list()[0]["title"] == "A boat"


def test_a_takedown_by_somebody_else_is_not_undone(toys: Desk, other: Desk) -> None:
    item = toys.create_public(title="A boat")
    etag = toys.etag(item["id"])
    other.edit(item["id"], published=False)

    values = {"published": True, "description": "It sinks", "merge": True}
    refused = toys.edit(item["id"], **values, if_match=etag, status=412)

    assert refused["conflict"]["collisions"] == ["published"]
    del values["published"]
    assert toys.edit(item["id"], **values, if_match=etag)["published"] is False


@pytest.mark.parametrize("etag", ["999", "0", "x", '"1", "2"', "9" * 30, ""])
def test_an_unknown_revision_lets_nothing_collide_unseen(
    toys: Desk, other: Desk, etag: str
) -> None:
    item = toys.create(title="A boat")
    other.edit(item["id"], title="A ship")

    refused = toys.edit(item["id"], title="A raft", merge=True, etag=etag, status=400)

    assert refused["conflict"]["base"] is None
    assert refused["conflict"]["collisions"] == ["title"]


def test_a_tag_that_is_deleted_meanwhile_counts_as_a_change_of_others(
    toys: Desk, other: Desk, make_tag: Any
) -> None:
    tag = make_tag("Water")["id"]
    item = toys.create_public(title="A boat", tagIds=[tag])
    toys.edit(item["id"], title="A ship")
    etag = toys.etag(item["id"])
    other.client.delete(f"/api/staff/tags/{tag}")

    form = {"title": "A ship", "description": "It sinks", "tagIds": [tag], "merge": True}
    saved = toys.edit(item["id"], **form, if_match=etag)

    assert (saved["tags"], saved["description"]) == ([], "It sinks")
