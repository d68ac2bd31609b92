"""Suppressed addresses as staff see, add and release them, by API and by command."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import pytest
from click.testing import CliRunner, Result
from sqlalchemy import select
from sqlalchemy.orm import Session

from masthead import Instance, MailSuppressions, forget_person
from masthead.audit.models import AuditEntry
from masthead.cli import main
from masthead.testing import Client, Database
from masthead_email.outbox import messages
from masthead_email.outbox.models import (
    ACCOUNT,
    COMPOSED,
    FOLLOW_UP,
    NEWSLETTER,
    NOTICE,
    SUPPRESSION_KINDS,
)

STAFF = "/api/staff/email/suppressions"
SUBSCRIBERS = "/api/staff/newsletter-subscribers"
START = datetime(2026, 5, 1, tzinfo=UTC)
Suppress = Callable[..., None]


@pytest.fixture
def make_message(instance: Instance) -> Callable[..., int]:
    """Return a function that stores a message and returns its id."""

    def make(kind: str, source_id: int | None) -> int:
        with instance.database.transaction() as session:
            message = messages.create_message(
                session, kind=kind, source_id=source_id, subject="May", html=None, text="Hello"
            )
            return message.id

    return make


@pytest.fixture
def ran(instance: Instance, database_url: str) -> Callable[..., Result]:
    """Return a function that runs ``masthead mail`` on the test's instance."""

    def run(*arguments: str) -> Result:
        environ = {
            "MASTHEAD_DATABASE_URL": database_url,
            "MASTHEAD_DATA": str(instance.data),
            "MASTHEAD_PLUGINS": "email",
        }
        return CliRunner().invoke(main, ["mail", *arguments], env=environ)

    return run


def emails(staff: Client, **query: Any) -> list[str]:
    return [each["email"] for each in staff.get(STAFF, query).json]


def test_staff_list_suppressed_addresses_with_the_reason_and_the_mail(
    staff: Client, suppress: Suppress, make_message: Callable[..., int]
) -> None:
    suppress("ada@example.org", message_id=make_message(NEWSLETTER, 7))
    suppress("bob@example.org", "complaint", day=2, reason="abuse")

    [newest, oldest] = staff.get(STAFF).json

    assert newest == {
        "email": "bob@example.org",
        "kind": "complaint",
        "reason": "abuse",
        "since": "2026-05-02T00:00:00.000Z",
        "mail": None,
    }
    assert oldest["mail"] == {"kind": "newsletter", "id": 7, "subject": "May"}


@pytest.mark.parametrize(
    ("kind", "shown"),
    [
        (NEWSLETTER, {"kind": "newsletter", "id": 3, "subject": "May"}),
        (COMPOSED, {"kind": "composed", "id": 3, "subject": "May"}),
        (FOLLOW_UP, {"kind": "follow-up", "id": None, "subject": "May"}),
        (NOTICE, None),
        (ACCOUNT, None),
    ],
)
def test_the_mail_of_a_suppression_is_shown_unless_it_concerns_an_account_or_staff(
    staff: Client, suppress: Suppress, make_message: Callable[..., int], kind: str, shown: Any
) -> None:
    suppress("ada@example.org", message_id=make_message(kind, 3))

    assert staff.get(STAFF).json[0]["mail"] == shown


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({}, ["d", "c", "b", "a"]),
        ({"kind": "complaint"}, ["b"]),
        ({"kind": "repeated"}, ["c"]),
        ({"newsletterId": 7}, ["c", "a"]),
        ({"composedEmailId": 7}, []),
        ({"since": "2026-05-02T00:00:00Z"}, ["d", "c", "b"]),
        ({"search": "A@Example"}, ["a"]),
        ({"search": "%"}, []),
        ({"search": ""}, ["d", "c", "b", "a"]),
        ({"kind": "repeated", "newsletterId": 7}, ["c"]),
        ({"limit": 2, "offset": 1}, ["c", "b"]),
    ],
)
def test_the_list_is_filtered_and_paged(
    staff: Client,
    suppress: Suppress,
    make_message: Callable[..., int],
    query: Mapping[str, Any],
    found: Sequence[str],
) -> None:
    message_id = make_message(NEWSLETTER, 7)
    suppress("a@example.org", message_id=message_id)
    suppress("b@example.org", "complaint", day=2)
    suppress("c@example.org", "repeated", day=3, message_id=message_id)
    suppress("d@example.org", "manual", day=4)

    assert emails(staff, **query) == [f"{name}@example.org" for name in found]


@pytest.mark.parametrize("kind", SUPPRESSION_KINDS)
def test_staff_suppress_an_address_for_good_whatever_it_was(
    staff: Client, suppress: Suppress, make_message: Callable[..., int], kind: str
) -> None:
    suppress("ada@example.org", kind, message_id=make_message(COMPOSED, 2))
    body = {"email": " Ada@Example.org", "reason": "Asked by phone"}

    first = staff.post_json(STAFF, body).json
    again = staff.post_json(STAFF, {"email": "new@example.org"}).json

    assert (first["email"], first["kind"], first["reason"]) == (
        "ada@example.org",
        "manual",
        "Asked by phone",
    )
    assert first["mail"]["id"] == 2
    assert (again["kind"], again["reason"], again["mail"]) == ("manual", "", None)
    assert emails(staff) == ["new@example.org", "ada@example.org"]


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ({}, "email: Required"),
        ({"email": "ada"}, "email: "),
        ({"email": "a@b.test", "reason": "x" * 301}, "reason: "),
        ({"email": "a@b.test", "reason": 5}, "reason: "),
        ({"email": None}, "email: "),
    ],
)
def test_a_wrong_suppression_is_refused_with_the_field(
    staff: Client, body: Mapping[str, Any], error: str
) -> None:
    assert staff.post_json(STAFF, body, status=400).json["error"].startswith(error)
    assert emails(staff) == []


def test_staff_release_an_address(staff: Client, suppress: Suppress) -> None:
    suppress("ada@example.org")

    staff.delete(f"{STAFF}/Ada%40example.org")

    assert emails(staff) == []
    assert staff.delete(f"{STAFF}/ada@example.org", status=404).json == {
        "error": "This address is not suppressed"
    }


@pytest.mark.parametrize(
    ("body", "kept"),
    [
        ({"since": "2026-05-01T00:00:00Z"}, ["manual", "complaint"]),
        ({"newsletterId": 7}, ["manual", "repeated", "complaint"]),
        ({"kind": "complaint"}, ["manual", "repeated", "recipient-gone"]),
        ({"kind": "manual"}, ["repeated", "complaint", "recipient-gone"]),
        ({"kind": "repeated", "newsletterId": 7}, list(reversed(SUPPRESSION_KINDS))),
        ({"search": "recipient"}, ["manual", "repeated", "complaint"]),
    ],
)
def test_a_release_of_many_spares_what_persons_decided_unless_it_names_the_kind(
    staff: Client,
    suppress: Suppress,
    make_message: Callable[..., int],
    body: Mapping[str, Any],
    kept: Sequence[str],
) -> None:
    message_id = make_message(NEWSLETTER, 7)
    for day, kind in enumerate(SUPPRESSION_KINDS, 1):
        cause = message_id if kind in ("recipient-gone", "complaint") else None
        suppress(f"{kind}@example.org", kind, day, message_id=cause)

    answer = staff.post_json(f"{STAFF}/release", body).json

    assert answer == {"success": True, "released": len(SUPPRESSION_KINDS) - len(kept)}
    assert [each["kind"] for each in staff.get(STAFF).json] == kept


@pytest.mark.parametrize("body", [{}, {"search": ""}, {"search": " "}, {"unknown": 1}])
def test_a_release_without_a_filter_is_refused(
    staff: Client, suppress: Suppress, body: Mapping[str, Any]
) -> None:
    suppress("ada@example.org")

    staff.post_json(f"{STAFF}/release", body, status=400)

    assert emails(staff) == ["ada@example.org"]


def test_the_audit_log_names_the_subscriber_and_no_address(
    app: Client, staff: Client, session: Session, suppress: Suppress
) -> None:
    app.post_json("/api/newsletter/subscribe", {"email": "ada@example.org"})
    [subscriber] = staff.get(SUBSCRIBERS).json
    staff.post_json(STAFF, {"email": "ada@example.org", "reason": "Ada asked"})
    staff.delete(f"{STAFF}/ada@example.org")
    suppress("eve@example.org")
    staff.post_json(f"{STAFF}/release", {"search": "eve@"})

    entries = session.scalars(
        select(AuditEntry)
        .where(AuditEntry.action.startswith("suppression."))
        .order_by(AuditEntry.id)
    ).all()

    assert [(each.action, each.content_id, each.detail) for each in entries] == [
        ("suppression.create", subscriber["id"], {"kind": "manual"}),
        ("suppression.release", subscriber["id"], {"number": 1}),
        ("suppression.release", None, {"number": 1}),
    ]


def test_the_erasure_of_a_person_leaves_no_suppression(
    staff: Client, database: Database, suppress: Suppress
) -> None:
    suppress("ada@example.org")

    with database.transaction() as session:
        forget_person(session, "ada@example.org")

    assert emails(staff) == []


@pytest.mark.parametrize("email", ["ada@example.org", "Ada@Example.org"])
def test_a_subscriber_shows_why_no_mail_reaches_it(
    staff: Client, suppress: Suppress, make_message: Callable[..., int], email: str
) -> None:
    suppress("ada@example.org", message_id=make_message(COMPOSED, 2))
    made = staff.post_json(SUBSCRIBERS, {"email": email}).json
    staff.post_json(SUBSCRIBERS, {"email": "eve@example.org"})
    path = f"{SUBSCRIBERS}/{made['id']}"

    [eve, ada] = staff.get(SUBSCRIBERS).json

    assert (eve["deliverable"], eve["suppression"]) == (True, None)
    assert ada["deliverable"] is False
    assert ada["suppression"] == {
        "kind": "recipient-gone",
        "reason": "550 5.1.1 Unknown",
        "since": "2026-05-01T00:00:00.000Z",
        "mail": {"kind": "composed", "id": 2, "subject": "May"},
    }
    assert ada == made == staff.get(path).json
    assert staff.put_json(path, {"name": "Ada"}).json["suppression"] == ada["suppression"]
    found = {
        wanted: [each["email"] for each in staff.get(SUBSCRIBERS, {"deliverable": wanted}).json]
        for wanted in ("false", "true")
    }
    assert found == {"false": ["ada@example.org"], "true": ["eve@example.org"]}


def test_hook_suppressions_answers_for_addresses_in_any_case(
    instance: Instance, session: Session, suppress: Suppress
) -> None:
    suppress("ada@example.org")
    addresses = ["Ada@example.org", "eve@example.org", "ADA@example.org"]

    [answer] = instance.hooks.masthead_suppressions(session=session, addresses=addresses)

    assert isinstance(answer, MailSuppressions)
    assert answer.permission == "email.addresses"
    assert list(answer.by_address) == ["Ada@example.org", "ADA@example.org"]


@pytest.mark.parametrize(
    ("arguments", "listed"),
    [
        ([], ["manual", "repeated", "complaint", "recipient-gone"]),
        (["--kind", "complaint"], ["complaint"]),
        (["--newsletter", "7"], ["recipient-gone"]),
        (["--composed-email", "7"], []),
        (["--since", "2026-05-03T00:00:00Z"], ["manual", "repeated"]),
        (["--search", "PLAINT"], ["complaint"]),
    ],
)
def test_the_command_lists_and_releases_by_the_filters_of_the_api(
    staff: Client,
    ran: Callable[..., Result],
    suppress: Suppress,
    make_message: Callable[..., int],
    arguments: Sequence[str],
    listed: Sequence[str],
) -> None:
    message_id = make_message(NEWSLETTER, 7)
    for day, kind in enumerate(SUPPRESSION_KINDS, 1):
        cause = message_id if kind == "recipient-gone" else None
        suppress(f"{kind}@example.org", kind, day, message_id=cause)

    shown = ran("suppressed", *arguments)

    assert [line.split("\t")[3] for line in shown.output.splitlines()] == listed
    if arguments:
        released = [kind for kind in listed if "--kind" in arguments or kind == "recipient-gone"]
        released += [kind for kind in listed if kind == "repeated"]
        answer = ran("release", *arguments)
        assert answer.output == f"Released addresses: {len(released)}\n"
        assert len(emails(staff)) == len(SUPPRESSION_KINDS) - len(released)


@pytest.mark.parametrize(
    "arguments",
    [[], ["ada@example.org", "--kind", "manual"], ["--since", "yesterday"], ["--kind", "x"]],
)
def test_the_command_refuses_a_release_that_it_cannot_understand(
    staff: Client, ran: Callable[..., Result], suppress: Suppress, arguments: Sequence[str]
) -> None:
    suppress("ada@example.org", "manual")

    assert ran("release", *arguments).exit_code == 2
    assert emails(staff) == ["ada@example.org"]
