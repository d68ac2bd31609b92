"""Addresses of subscribers and recipients need a permission of their own."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from secrets import token_hex
from typing import Any

import pytest
from click.testing import CliRunner
from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from masthead.auth.models import Role, RolePermission
from masthead.cli import main
from masthead.db.once import OnceMarker
from masthead.testing import Client, Clock, Database
from masthead_email.outbox.models import FAILED, Delivery

NEWSLETTERS = "/api/staff/newsletters"
SUBSCRIBERS, COMPOSED = "/api/staff/newsletter-subscribers", "/api/staff/compose-emails"
MakeRole = Callable[..., Role]


@pytest.fixture
def approver_only(app: Client, make_role: MakeRole) -> Client:
    """A client that may approve newsletters and has no permission."""
    role = make_role("reviewer")
    body = {"contentType": "newsletters", "roleId": role.id}
    app.as_role("admin").post_json("/api/staff/approval-config", body)
    return app.as_role("reviewer")


def test_an_approver_reads_newsletters_and_no_addresses(
    approver_only: Client,
    subscribe: Callable[..., None],
    make_newsletter: Callable[..., Any],
    staff: Client,
    database: Database,
) -> None:
    subscribe("gone@example.net")
    newsletter = make_newsletter()
    staff.post(f"{NEWSLETTERS}/{newsletter['id']}/send")
    with database.transaction() as session:
        error = "550 gone@example.net is unknown"
        session.execute(update(Delivery).values(state=FAILED, last_error=error))
    path = f"{NEWSLETTERS}/{newsletter['id']}/deliveries"

    shown, all_shown = approver_only.get(path).json, staff.get(path).json

    assert [failure["email"] for failure in all_shown["failures"]] == ["gone@example.net"]
    assert all_shown["leftOut"] == []
    assert shown == all_shown | {"failures": [], "leftOut": ["failures"]}
    assert approver_only.get(f"{NEWSLETTERS}/{newsletter['id']}").json["title"] == "May"
    for closed in (SUBSCRIBERS, COMPOSED):
        approver_only.get(closed, status=403)


@pytest.mark.parametrize("lacking", ["email.addresses", "email.write"])
def test_a_change_of_what_holds_addresses_needs_both_permissions(
    app: Client, make_role: MakeRole, subscribe: Callable[..., None], staff: Client, lacking: str
) -> None:
    subscribe("ada@example.org")
    subscriber = staff.get(SUBSCRIBERS).json[0]
    mail = {"subject": "Hi", "html_content": "<p>Hi</p>", "recipient_emails": ["eve@example.org"]}
    composed = staff.post_json(COMPOSED, mail).json
    granted = {"email.read", "email.write", "email.addresses"} - {lacking}
    make_role("clerk", *granted)
    make_role("both", "email.write", "email.addresses")

    clerk = app.as_role("clerk")

    for path, made in ((SUBSCRIBERS, subscriber), (COMPOSED, composed)):
        clerk.put_json(f"{path}/{made['id']}", {}, status=403)
        clerk.delete(f"{path}/{made['id']}", status=403)
        app.as_role("both").put_json(f"{path}/{made['id']}", {})
    clerk.post_json(SUBSCRIBERS, {"email": "ada@example.org"}, status=403)
    clerk.post_json(COMPOSED, mail, status=403)
    clerk.post(f"{COMPOSED}/{composed['id']}/send", status=403)


def test_an_upgrade_grants_addresses_to_the_roles_that_read_them_before(
    app: Client,
    database: Database,
    session: Session,
    make_role: MakeRole,
    monkeypatch: pytest.MonkeyPatch,
    database_url: str,
    tmp_path: Path,
) -> None:
    make_role("clerk", "email.read")
    make_role("sender", "email.write")
    with database.transaction() as writing:
        # The database of an earlier version, which doesn't know the permission.
        added = RolePermission.permission == "email.addresses"
        writing.execute(delete(RolePermission).where(added))
        writing.execute(delete(OnceMarker).where(OnceMarker.name == "email.addresses"))
    app.as_role("clerk").get(SUBSCRIBERS, status=403)
    values = {"DATABASE_URL": database_url, "PLUGINS": "email", "DATA": str(tmp_path)}
    for name, value in (values | {"AUTH_SECRETS": token_hex(32)}).items():
        monkeypatch.setenv(f"MASTHEAD_{name}", value)

    for _ in range(2):
        assert CliRunner().invoke(main, ["db", "upgrade"]).exit_code == 0

    holding = select(Role.name).join(RolePermission).where(added).order_by(Role.name)
    assert session.scalars(holding).all() == ["clerk", "editor"]
    app.as_role("clerk").get(SUBSCRIBERS)
    app.as_role("sender").get(SUBSCRIBERS, status=403)


def test_the_late_composed_email_is_told_to_those_who_may_read_it(
    app: Client, clock: Clock, make_role: MakeRole, staff: Client, mails: Callable[[], Any]
) -> None:
    make_role("sender", "email.write")
    make_role("clerk", "email.write", "email.addresses")
    callers = [app.as_role("sender"), app.as_role("clerk")]
    soon = (clock.now() + timedelta(hours=1)).isoformat()
    body = {"subject": "Hi", "html_content": "<p>Hi</p>", "recipient_emails": ["eve@example.org"]}
    staff.post_json(COMPOSED, body | {"scheduled_send_at": soon})

    clock.shift(hours=26)
    assert mails() == []

    notices = [caller.get("/api/staff/notifications").json for caller in callers]
    assert [len(each) for each in notices] == [0, 1]
