"""All data about a person is shown, erased with one command, and found after a merge."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
import zstandard
from click.testing import CliRunner, Result
from sqlalchemy import MetaData, select, text
from sqlalchemy.orm import Session

from masthead import Instance
from masthead.audit.models import AuditEntry
from masthead.cli import main
from masthead.testing import Client, Clock, Database

CONTACTS = "/api/staff/contacts"
COMPOSED = "/api/staff/compose-emails"
ADA, EVE = "adaqz@example.org", "eve@example.org"
ZSTANDARD = b"\x28\xb5\x2f\xfd"
"""The first bytes of compressed values."""
KINDS = {
    "contacts",
    "contact-messages",
    "proposals",
    "newsletter-subscribers",
    "compose-emails",
    "mails",
    "notifications",
}
"""The kinds of data that plugins hold about a person who does everything that visitors can."""
Work = Callable[[], None]


@pytest.fixture
def settings() -> Mapping[str, str]:
    """Mail the messages of visitors to staff."""
    return {"masthead.email.staff": "desk@example.org"}


@pytest.fixture
def staff(clock: Clock, app: Client) -> Client:
    assert clock.now()
    return app.as_role("admin")


@pytest.fixture
def erase(
    monkeypatch: pytest.MonkeyPatch, database_url: str, instance: Instance
) -> Callable[[str], Result]:
    """Return a function that runs ``masthead contacts erase ADDRESS``."""
    monkeypatch.setenv("MASTHEAD_DATABASE_URL", database_url)
    monkeypatch.setenv("MASTHEAD_DATA", str(instance.data))
    return lambda address: CliRunner().invoke(main, ["contacts", "erase", address, "--yes"])


def mail_to(staff: Client, *addresses: str, subject: str = "News") -> int:
    body = {"subject": subject, "html_content": "<p>Hi {{name}}</p>", "recipient_emails": addresses}
    made: int = staff.post_json(COMPOSED, body).json["id"]
    staff.post(f"{COMPOSED}/{made}/send")
    return made


def follow_up_by_mail(staff: Client, contact: Any) -> None:
    template = {"name": "Hello", "subject": "Hello {{name}}", "html_content": "<p>{{email}}</p>"}
    made = staff.post_json("/api/staff/email-templates", template).json
    stage = staff.post_json("/api/staff/progression-stages", {"name": "Met"}).json
    rule = {"name": "Write", "daysAfter": 0, "catchupType": "mail"}
    ids = {"triggerStageId": stage["id"], "emailTemplateId": made["id"]}
    staff.post_json("/api/staff/follow-up-rules", rule | ids)
    step = {"stageId": stage["id"], "notes": f"Wrote to {contact['email']}"}
    staff.post_json(f"{CONTACTS}/{contact['id']}/progression", step)


def rows_that_name(database: Database, needle: str) -> Iterator[str]:
    """Return the tables whose rows contain a text, according to the database's schema."""
    found = MetaData()
    with database.engine.connect() as connection:
        found.reflect(connection)
        for table in found.sorted_tables:
            rows = connection.execute(text(f'SELECT * FROM "{table.name}"'))
            if any(needle in str([readable(each) for each in row]) for row in rows):
                yield table.name


def readable(value: Any) -> Any:
    """Return a stored value; the text of a compressed one, as revisions have them."""
    if isinstance(value, bytes | memoryview) and bytes(value).startswith(ZSTANDARD):
        return zstandard.ZstdDecompressor().decompress(bytes(value))
    return value


def leave_traces(app: Client, staff: Client) -> Any:
    """Perform all actions of visitors as Ada, and all of staff for her; return her contact."""
    app.post_json("/api/newsletter/subscribe", {"email": ADA})
    message = {"name": "Ada", "email": ADA, "subject": "Hello", "message": "Hi"}
    app.post_json("/api/contact", message)
    proposal = {"title": "T", "description": "D", "contactName": "Ada", "contactEmail": ADA}
    app.post_json("/api/ycs/submit-action", proposal)
    contact = staff.post_json(CONTACTS, {"name": "Ada", "email": ADA}).json
    mail_to(staff, ADA, EVE)
    waiting = {"subject": "Later", "html_content": "<p>Hi</p>", "recipient_emails": [ADA, EVE]}
    changed = f"{COMPOSED}/{staff.post_json(COMPOSED, waiting).json['id']}"
    staff.put_json(changed, {"subject": "Later still"})
    assert len(staff.get(f"{changed}/revisions").json) == 2
    # Nobody else gets this one, so that it goes with her.
    alone = staff.post_json(COMPOSED, {**waiting, "recipient_emails": [ADA]}).json["id"]
    staff.put_json(f"{COMPOSED}/{alone}", {"title": "For adaqz"})
    staff.put_json(f"{CONTACTS}/{contact['id']}", {"notes": "Ada"})
    follow_up_by_mail(staff, contact)
    return contact


def test_all_plugins_show_and_erase_their_data_about_a_person(
    app: Client,
    staff: Client,
    clock: Clock,
    work: Work,
    database: Database,
    session: Session,
    erase: Callable[[str], Result],
) -> None:
    contact = leave_traces(app, staff)
    for _ in range(2):
        clock.shift(minutes=1)
        work()

    told = staff.get(f"{CONTACTS}/{contact['id']}/export").json
    assert told["email"] == ADA
    assert (set(told["data"]), told["leftOut"]) == (KINDS, [])
    assert all(ADA in str(items) or kind == "mails" for kind, items in told["data"].items())
    subjects = {mail["subject"] for mail in told["data"]["mails"]}
    assert {"News", "Hello Ada"} <= subjects
    sent = "SELECT count(*) FROM email_delivery WHERE state = 'sent'"
    before = session.execute(text(sent)).scalar_one()

    assert erase(ADA).exit_code == 0

    session.rollback()
    assert list(rows_that_name(database, "adaqz")) == []
    assert session.execute(text(sent)).scalar_one() == before
    left = session.execute(
        text("SELECT address FROM email_delivery WHERE address LIKE 'forgotten-%'")
    )
    pseudonyms = [address.rpartition("-")[0] for address in left.scalars()]
    assert len(pseudonyms) >= 2
    assert len(set(pseudonyms)) == 1
    assert [mail["recipient_emails"] for mail in staff.get(COMPOSED).json] == [[EVE], [EVE]]
    assert erase(ADA).stderr == "No data on this person\n"


def test_two_contacts_that_are_one_person_keep_the_mails_of_both(
    staff: Client,
    clock: Clock,
    work: Work,
    database: Database,
    session: Session,
    erase: Callable[[str], Result],
) -> None:
    ada, eve = (
        staff.post_json(CONTACTS, {"name": name, "email": address}).json
        for name, address in (("Ada", ADA), ("Eve", EVE))
    )
    mail_to(staff, ADA, subject="To Ada")
    mail_to(staff, EVE, subject="To Eve")
    follow_up_by_mail(staff, ada)
    for _ in range(2):
        clock.shift(minutes=1)
        work()

    path = f"{CONTACTS}/{eve['id']}"
    merged = staff.post_json(f"{path}/merge", {"otherId": ada["id"]}).json

    assert merged == staff.get(path).json
    assert [mail["subject"] for mail in merged["emailHistory"]] == ["Hello Ada", "To Eve", "To Ada"]
    assert {mail["status"] for mail in merged["emailHistory"]} == {"sent"}
    assert [step["stage"] for step in merged["progression"]] == ["Met"]
    done = staff.get("/api/staff/follow-up-dashboard").json["completed"]
    assert [item["contactId"] for item in done] == [eve["id"]]
    merges = select(AuditEntry.detail).where(AuditEntry.action == "contacts.merge")
    assert session.scalars(merges).all() == [{"merged": ada["id"]}]
    told = staff.get(f"{path}/export").json["data"]
    assert {mail["subject"] for mail in told["mails"]} == {"Hello Ada", "To Eve", "To Ada"}
    assert len(told["contacts"]) == 1

    assert erase(ADA).exit_code == 0
    for word in ("adaqz", EVE):
        assert list(rows_that_name(database, word)) == []
