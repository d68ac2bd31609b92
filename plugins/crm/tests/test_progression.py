"""Stages and progression entries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from masthead.testing import Client

CONTACTS = "/api/staff/contacts"
STAGES = "/api/staff/progression-stages"
Make = Callable[..., Any]


def test_stages_are_listed_in_their_order(staff: Client, make_stage: Make) -> None:
    for name, order in (("Joined", 2), ("Met", 1), ("Left", 2)):
        make_stage(name, order=order, description=f"They have {name}")

    stages = staff.get(STAGES).json
    assert [stage["name"] for stage in stages] == ["Met", "Joined", "Left"]
    assert stages[0]["description"] == "They have Met"


def test_the_name_of_a_stage_is_unique(staff: Client, make_stage: Make) -> None:
    make_stage("Met")

    refused = staff.post_json(STAGES, {"name": "MET"}, status=400)
    assert refused.json["error"] == "A stage with this name already exists"
    staff.post_json(STAGES, {"order": 1}, status=400)
    staff.post_json(STAGES, {"name": "X", "order": "1"}, status=400)


def test_an_entry_sets_the_stage_and_names_its_author(
    staff: Client, make_contact: Make, make_stage: Make, move: Make
) -> None:
    contact, stage = make_contact(), make_stage("Met")

    entry = move(contact, stage, interactionType="call", notes="Wants to help")

    assert entry == {
        "id": entry["id"],
        "stage": "Met",
        "interactionType": "call",
        "notes": "Wants to help",
        "createdAt": entry["createdAt"],
        "createdBy": {
            "id": entry["createdBy"]["id"],
            "username": "some-editor",
            "displayName": None,
        },
    }
    path = f"{CONTACTS}/{contact['id']}"
    assert staff.get(f"{path}/progression").json == [entry]
    detail = staff.get(path).json
    assert detail["progressionStage"] == "Met"
    assert detail["progression"] == [{k: v for k, v in entry.items() if k != "createdBy"}]
    assert staff.get(CONTACTS).json[0]["progressionStage"] == "Met"


def test_entries_are_paged_newest_first(
    staff: Client, make_contact: Make, make_stage: Make, move: Make
) -> None:
    contact, met, joined = make_contact(), make_stage("Met"), make_stage("Joined")
    for stage in (met, joined, met):
        move(contact, stage)

    path = f"{CONTACTS}/{contact['id']}/progression"
    page = staff.get(path, {"limit": 2})
    assert [entry["stage"] for entry in page.json] == ["Met", "Joined"]
    assert page.headers["X-Total-Count"] == "3"
    staff.get(path, {"limit": 0}, status=400)


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"stageId": None},
        {"stageId": "1"},
        {"stageId": True},
        {"stageId": 0},
        {"stageId": 99},
        {"stageId": 2**63},
        {"stageId": 1, "interactionType": "x" * 201},
        {"stageId": 1, "notes": 7},
    ],
)
def test_an_invalid_entry_is_refused(
    staff: Client, make_contact: Make, make_stage: Make, body: dict[str, Any]
) -> None:
    contact, _ = make_contact(), make_stage()
    path = f"{CONTACTS}/{contact['id']}"

    staff.post_json(f"{path}/progression", body, status=400)

    assert staff.get(path).json == contact


def test_a_used_stage_cannot_be_deleted_and_the_error_has_the_numbers(
    staff: Client, make_contact: Make, make_stage: Make, make_rule: Make, move: Make
) -> None:
    stage, free = make_stage("Met"), make_stage("Free")
    rule = make_rule(stage)
    contact = make_contact()
    move(contact, stage)

    refused = staff.delete(f"{STAGES}/{stage['id']}", status=400)
    assert refused.json == {"error": "1 contacts stand on this stage, and 1 rules use it"}
    staff.delete(f"/api/staff/follow-up-rules/{rule['id']}")
    move(contact, free)
    assert staff.delete(f"{STAGES}/{stage['id']}").json == {"success": True}
    steps = staff.get(f"{CONTACTS}/{contact['id']}/progression").json
    assert [entry["stage"] for entry in steps] == ["Free", "Met"]


def test_a_renamed_stage_is_renamed_everywhere(
    staff: Client, make_contact: Make, make_stage: Make, move: Make
) -> None:
    stage, contact = make_stage("Met"), make_contact()
    move(contact, stage)

    staff.put_json(f"{STAGES}/{stage['id']}", {"name": "Greeted"})

    detail = staff.get(f"{CONTACTS}/{contact['id']}").json
    assert detail["progressionStage"] == detail["progression"][0]["stage"] == "Greeted"
    assert len(staff.get(CONTACTS, {"progressionStage": "greeted"}).json) == 1
