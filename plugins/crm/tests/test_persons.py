"""Contacts as persons: export, erasure and merge."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from sqlalchemy import func, select, text, update
from sqlalchemy.orm import Session

from masthead import (
    CausingMail,
    MailHistory,
    MailRecord,
    MailSuppression,
    MailSuppressions,
    Permission,
    PersonData,
    Plugin,
    forget_person,
    hookimpl,
    person_data,
    utcnow,
)
from masthead.audit.models import AuditEntry
from masthead.cli import main
from masthead.testing import Client, Database
from masthead_crm.models import Contact, ContactTag, Entry, FollowUp
from masthead_crm.plugin import plugin as crm

CONTACTS = "/api/staff/contacts"
ADA = "ada@example.org"
HOARSE = MailSuppression("hoarse", utcnow(), "550 A cold", CausingMail("composed", 1, "Rehearsal"))
Make = Callable[..., Any]


class Choir:
    """Another plugin with data on persons, and with mails."""

    def __init__(self) -> None:
        self.singers = {ADA, "bob@example.org"}
        self.permission = "choir.read"

    @hookimpl
    def masthead_permissions(self) -> list[Permission]:
        return [Permission("choir.read", "Read voices.")]

    @hookimpl
    def masthead_mail_history(self, address: str) -> MailHistory:
        mails = [MailRecord(1, "Rehearsal", "composed", "sent", None)] if address == ADA else []
        return MailHistory("choir.read", mails)

    @hookimpl
    def masthead_suppressions(self, addresses: Sequence[str]) -> MailSuppressions:
        return MailSuppressions("choir.read", {ADA: HOARSE} if ADA in addresses else {})

    @hookimpl
    def masthead_person_data(self, address: str) -> list[PersonData]:
        return [
            PersonData(
                "voices", self.permission, [{"email": each} for each in self.singers & {address}]
            )
        ]

    @hookimpl
    def masthead_forget_person(self, address: str) -> None:
        self.singers.discard(address)


CHOIR = Choir()


@pytest.fixture
def choir() -> Choir:
    """The same object in each test, with a new state, so that tests share an instance."""
    CHOIR.__init__()
    return CHOIR


@pytest.fixture
def plugins(choir: Choir) -> list[Plugin]:
    return [crm, Plugin(name="choir", hooks=(choir,))]


@pytest.fixture
def known(make_contact: Make, make_stage: Make, make_rule: Make, move: Make) -> Any:
    """A contact at a stage, with a follow-up."""
    stage = make_stage("Met")
    make_rule(stage)
    contact = make_contact(email="Ada@Example.org", tags=["choir"], notes="garden")
    move(contact, stage, notes="Wants to help")
    return contact


def test_an_export_has_the_data_of_every_plugin(staff: Client, known: Any) -> None:
    told = staff.get(f"{CONTACTS}/{known['id']}/export").json

    assert told["email"] == ADA
    assert told["data"]["voices"] == [{"email": ADA}]
    [contact] = told["data"]["contacts"]
    assert contact == staff.get(f"{CONTACTS}/{known['id']}").json


@pytest.mark.parametrize("email", [ADA, "nobody@example.org"])
def test_data_of_other_areas_is_left_out_for_those_who_may_not_read_it(
    app: Client, staff: Client, make_contact: Make, make_role: Callable[..., Any], email: str
) -> None:
    make_role("clerk", "contacts.read", "contacts.write")
    clerk, contact, other = app.as_role("clerk"), make_contact(email=email), make_contact("Bob")
    path = f"{CONTACTS}/{contact['id']}"

    left_out = ["notifications", "voices"]
    told, shown = clerk.get(f"{path}/export").json, clerk.get(path).json
    merged = merge(clerk, contact, other)

    addresses = {"email": email, "addresses": [email], "leftOutAddresses": []}
    assert told == {
        **addresses,
        "data": {"contacts": [shown]},
        "leftOut": left_out,
        "notSearched": [],
    }
    known = (False, "hoarse") if email == ADA else (True, None)
    for answer in (shown, merged, clerk.put_json(path, {"phone": "1"}).json):
        assert (answer["emailHistory"], answer["leftOut"]) == ([], ["emailHistory"])
        suppression = answer["suppression"] or {}
        assert (answer["deliverable"], suppression.get("kind")) == known
        assert [suppression.get(name) for name in ("reason", "mail")] == [None, None]
    seen = staff.get(path).json
    assert [mail["subject"] for mail in seen["emailHistory"]] == ["Rehearsal"] * (email == ADA)
    assert seen["leftOut"] == []
    assert (seen["suppression"] or {}).get("reason") == ("550 A cold" if email == ADA else None)
    assert [each["suppression"] for each in staff.get(CONTACTS).json] == [seen["suppression"]]


def test_data_with_an_undeclared_permission_is_shown_to_nobody(
    choir: Choir, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(choir, "permission", "choir.sing")

    with pytest.raises(LookupError, match=r"^voices needs choir\.sing, "):
        person_data(session, [ADA], None)


def test_an_export_without_an_address_has_the_contact(staff: Client, make_contact: Make) -> None:
    contact = make_contact()

    told = staff.get(f"{CONTACTS}/{contact['id']}/export").json
    nothing = {"email": None, "addresses": [], "leftOutAddresses": []}
    assert told == {**nothing, "data": {"contacts": [contact]}, "leftOut": [], "notSearched": []}


def test_erasing_a_person_deletes_the_data_of_every_plugin(
    database: Database, session: Session, choir: Choir, known: Any, make_contact: Make
) -> None:
    make_contact("Bob", email="bob@example.org")
    assert known["email"] == ADA

    with database.transaction() as writing:
        forget_person(writing, ADA)

    assert person_data(session, [ADA], None).data == {}
    assert session.scalars(select(Contact.name)).all() == ["Bob"]
    assert choir.singers == {"bob@example.org"}
    for model in (ContactTag, Entry, FollowUp):
        assert session.scalar(select(func.count()).select_from(model)) == 0


@pytest.fixture
def erase(
    monkeypatch: pytest.MonkeyPatch, database_url: str, tmp_path: Path
) -> Callable[..., Result]:
    """Return a function that runs ``masthead contacts erase …``."""
    monkeypatch.setenv("MASTHEAD_DATABASE_URL", database_url)
    monkeypatch.setenv("MASTHEAD_PLUGINS", "crm")
    monkeypatch.setenv("MASTHEAD_DATA", str(tmp_path))
    return lambda *words: CliRunner().invoke(main, ["contacts", "erase", *words], input="y\n")


def test_the_command_erases_and_prints_the_counts(
    erase: Callable[..., Result], session: Session, known: Any
) -> None:
    assert known["email"] == ADA

    done = erase("ADA@example.org", "--yes")
    again = erase(ADA)

    assert (done.exit_code, done.stdout) == (0, "Erased contacts 1\n")
    assert (again.exit_code, again.stderr) == (1, "No data on this person\n")
    assert erase("nobody", "--yes").exit_code == 2
    assert session.scalars(select(Contact.id)).all() == []
    entries = session.scalars(select(AuditEntry).where(AuditEntry.action == "person.erase")).all()
    assert [entry.detail for entry in entries] == [{"erased": {"contacts": 1}}]


def test_plugins_that_are_disabled_are_named_before_an_erasure(
    erase: Callable[..., Result], staff: Client, database: Database, known: Any
) -> None:
    with database.transaction() as session:
        session.execute(text("CREATE TABLE alembic_version_horses (version_num VARCHAR(32))"))
        session.execute(text("INSERT INTO alembic_version_horses VALUES ('0001')"))

    told = staff.get(f"{CONTACTS}/{known['id']}/export").json["notSearched"]
    done = erase(ADA)
    with database.transaction() as session:
        session.execute(text("DROP TABLE alembic_version_horses"))

    assert told == ["horses"]
    assert done.stderr.count("Not erased: data in the tables of horses, which") == 1


def merge(staff: Client, contact: Any, other: Any, status: int = 200) -> Any:
    path = f"{CONTACTS}/{contact['id']}/merge"
    return staff.post_json(path, {"otherId": other["id"]}, status=status).json


def test_a_merge_fills_missing_values_and_loses_none_of_the_other_contact(
    staff: Client, session: Session, known: Any, make_contact: Make
) -> None:
    contact = make_contact("A. Lovelace", phone="1", status="Member", tags=["Choir", "press"])

    merged = merge(staff, contact, known)

    assert merged == staff.get(f"{CONTACTS}/{contact['id']}").json
    assert {n: merged[n] for n in ("name", "email", "phone", "status", "progressionStage")} == {
        "name": "A. Lovelace",
        "email": ADA,
        "phone": "1",
        "status": "Member",
        "progressionStage": "Met",
    }
    assert merged["tags"] == ["Choir", "press"]
    assert merged["notes"] == "garden\n\nname: Ada\nstatus: Event Attendee"
    assert merged["createdAt"] == known["createdAt"]
    assert [step["notes"] for step in merged["progression"]] == ["Wants to help"]
    assert [it["ruleName"] for it in merged["followUps"]] == ["Call"]
    staff.get(f"{CONTACTS}/{known['id']}", status=404)
    assert [c["id"] for c in staff.get(CONTACTS, {"search": "garden"}).json] == [contact["id"]]
    query = {"tag": "press", "progressionStage": "Met"}
    assert [c["id"] for c in staff.get(CONTACTS, query).json] == [contact["id"]]
    actions = session.scalars(select(AuditEntry.action).order_by(AuditEntry.id)).all()
    assert {"contacts.merge", "content.delete"} <= set(actions)


def test_a_merge_keeps_both_addresses_and_the_earlier_of_two_follow_ups_for_a_rule(
    staff: Client,
    database: Database,
    known: Any,
    make_contact: Make,
    move: Make,
    erase: Callable[..., Result],
) -> None:
    contact = make_contact("Ada", email="ada@example.com")
    [stage] = staff.get("/api/staff/progression-stages").json
    move(contact, stage)
    [early] = staff.get(f"{CONTACTS}/{known['id']}").json["followUps"]
    with database.transaction() as writing:
        soon = update(FollowUp).where(FollowUp.id == early["id"])
        writing.execute(soon.values(due_at=FollowUp.reached_at))

    merged = merge(staff, contact, known)

    assert merged["email"] == "ada@example.com"
    assert f"email: {ADA}" in merged["notes"]
    file = [("file", "contacts.csv", f"name,email\nAda,{ADA}\n".encode(), "text/csv")]
    assert staff.post(f"{CONTACTS}/bulk-import", upload_files=file).json["skipped"] == 1
    assert [it["id"] for it in merged["followUps"]] == [early["id"]]
    done = staff.get("/api/staff/follow-up-dashboard").json["completed"]
    assert [it["contactId"] for it in done] == [contact["id"]]
    told = staff.get(f"{CONTACTS}/{contact['id']}/export").json["data"]
    assert (told["contacts"], told["voices"]) == ([merged], [{"email": ADA}])
    third = make_contact("Adele", email="adele@example.com")
    merged = merge(staff, third, contact)
    assert merged["email"] == "adele@example.com"
    assert erase(ADA, "--yes").stdout == "Erased contacts 1\n"
    assert staff.get(CONTACTS).json == []


def test_a_merge_that_changes_no_field_still_moves_the_contact_in_lists(
    clock: Any, staff: Client, make_contact: Make, make_stage: Make, move: Make
) -> None:
    other = make_contact()
    clock.shift(days=1)
    make_contact("Bob", tags=["choir"])
    clock.shift(days=1)
    contact = make_contact(email=ADA, tags=["choir"])
    move(contact, make_stage("Met"))
    move(other, make_stage("Member"))
    path = f"{CONTACTS}/{contact['id']}"
    before = staff.get(path)
    clock.shift(days=1)

    merged = merge(staff, contact, other)

    after = staff.get(path)
    assert (merged, merged["progressionStage"]) == (after.json, "Member")
    assert merged["createdAt"] < before.json["createdAt"]
    assert merged["updatedAt"] > before.json["updatedAt"]
    assert after.headers["ETag"] != before.headers["ETag"]
    lists = [
        staff.get(CONTACTS, {"tag": "choir", **query}).json
        for query in ({}, {"progressionStage": "Member"}, {"progressionStage": "Met"})
    ]
    assert [[c["name"] for c in found] for found in lists] == [["Bob", "Ada"], ["Ada"], []]


def test_contacts_that_cannot_be_merged_stay_unchanged(staff: Client, make_contact: Make) -> None:
    contact, other = make_contact(notes="x" * 6_000), make_contact("Bob", notes="y" * 6_000)

    assert merge(staff, contact, contact, 400)["error"] == "otherId: Is the same contact"
    unknown = merge(staff, contact, {"id": 99}, 400)
    assert unknown["error"] == "otherId: There is no such contact"
    assert "notes: " in merge(staff, contact, other, 400)["error"]
    many = [make_contact(tags=[f"{letter}{n}" for n in range(300)]) for letter in "ab"]
    assert "tags: " in merge(staff, many[0], many[1], 400)["error"]
    for each in many:
        staff.delete(f"{CONTACTS}/{each['id']}")
    for wrong in (None, "1", 0, True):
        merge(staff, contact, {"id": wrong}, 400)
    merge(staff, {"id": 99}, contact, 404)
    assert [c["name"] for c in staff.get(CONTACTS).json] == ["Bob", "Ada"]
