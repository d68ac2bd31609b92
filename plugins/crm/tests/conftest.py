"""Fixtures: the plugin beside core, and a plugin that stands in for one that sends mail."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from sqlalchemy import text
from sqlalchemy.orm import Session

from masthead import Mail, MailHistory, MailRecord, Plugin, hookimpl
from masthead.cli import main
from masthead.testing import Client
from masthead_crm.plugin import plugin as crm

CONTACTS = "/api/staff/contacts"
STAGES = "/api/staff/progression-stages"
RULES = "/api/staff/follow-up-rules"
Make = Callable[..., Any]


class MailPlugin:
    """A plugin that records mails instead of sending them; it has the templates 1 to 9."""

    def __init__(self) -> None:
        self.sent: list[Mail] = []
        self.unsubscribed: set[str] = set()
        self.templates = set(range(1, 10))
        self.permission = "contacts.read"

    @hookimpl
    def masthead_deliver_mail(self, mail: Mail) -> bool:
        if mail.to in self.unsubscribed or mail.template_id not in self.templates:
            return False
        self.sent.append(mail)
        return True

    @hookimpl
    def masthead_mail_templates(self, ids: Sequence[int]) -> list[int]:
        return [number for number in ids if number in self.templates]

    @hookimpl
    def masthead_mail_history(self, session: Session, address: str) -> MailHistory:
        assert session.is_active
        mails = [
            MailRecord(number, f"Template {mail.template_id}", mail.kind, "queued", None)
            for number, mail in enumerate(self.sent, 1)
            if mail.to == address
        ]
        return MailHistory(self.permission, mails)


MAILER = MailPlugin()


@pytest.fixture
def mailer() -> MailPlugin:
    """The same object in each test, with a new state, so that tests share an instance."""
    MAILER.__init__()
    return MAILER


@pytest.fixture
def plugins() -> list[Plugin]:
    return [crm]


@pytest.fixture
def staff(app: Client) -> Client:
    return app.as_role("editor")


@pytest.fixture
def make_contact(staff: Client) -> Make:
    return lambda name="Ada", **values: staff.post_json(CONTACTS, {"name": name, **values}).json


@pytest.fixture
def make_stage(staff: Client) -> Make:
    return lambda name="Met", **values: staff.post_json(STAGES, {"name": name, **values}).json


@pytest.fixture
def make_rule(staff: Client) -> Make:
    def make(stage: Any, **values: Any) -> Any:
        body = {
            "name": "Call",
            "triggerStageId": stage["id"],
            "daysAfter": 7,
            "catchupType": "call",
        }
        return staff.post_json(RULES, {**body, **values}).json

    return make


@pytest.fixture
def move(staff: Client) -> Make:
    """Return a function that adds an entry: ``move(contact, stage, interactionType="call")``."""

    def log(contact: Any, stage: Any, **values: Any) -> Any:
        path = f"{CONTACTS}/{contact['id']}/progression"
        return staff.post_json(path, {"stageId": stage["id"], **values}).json

    return log


@pytest.fixture
def send(staff: Client) -> Make:
    """Return a function that uploads a file with a charset and a query."""

    def sent(content: bytes, charset: str = "", query: str = "", status: int = 200) -> Any:
        path = f"{CONTACTS}/bulk-import{query}"
        fields = {"charset": charset} if charset else {}
        file = [("file", "contacts.csv", content, "text/csv")]
        return staff.post(path, fields, upload_files=file, status=status).json

    return sent


@pytest.fixture
def run(
    monkeypatch: pytest.MonkeyPatch, database_url: str, tmp_path: Path
) -> Callable[..., Result]:
    """Return a function that runs ``masthead contacts …``."""
    monkeypatch.setenv("MASTHEAD_DATABASE_URL", database_url)
    monkeypatch.setenv("MASTHEAD_PLUGINS", "crm")
    monkeypatch.setenv("MASTHEAD_DATA", str(tmp_path))
    return lambda *words: CliRunner().invoke(main, ["contacts", *map(str, words)])


@pytest.fixture
def undo_keys() -> Callable[[Session], None]:
    """Return a function that undoes revisions 0004 and 0005 of the plugin's tables."""
    statements = (
        "DROP INDEX ix_crm_contact_updated_at",
        "DROP TABLE crm_distinct_contacts",
        "DROP INDEX ix_crm_contact_mailbox_key",
        "DROP INDEX ix_crm_contact_phone_key",
        "DROP INDEX ix_crm_contact_name",
        *(f"ALTER TABLE crm_contact DROP COLUMN {n}_key" for n in ("name", "mailbox", "phone")),
        "CREATE TABLE crm_merged_address (contact_id bigint, email_key text, email text)",
    )

    def undo(session: Session) -> None:
        for statement in statements:
            session.execute(text(statement))

    return undo
