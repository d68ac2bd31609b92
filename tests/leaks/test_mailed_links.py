"""Secret links are mailed to their recipient, and shown to no member of staff."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from email.message import EmailMessage
from typing import Any

import pytest

from masthead import Instance
from masthead.http.permissions import PUBLIC
from masthead.testing import Client

BOSS, VISITOR = "boss@example.org", "eve@example.org"
NEW = "a password of the thief"


@pytest.fixture
def settings() -> Mapping[str, str]:
    return {"masthead.email.confirm": "true", "masthead.email.staff": BOSS}


@pytest.fixture
def tokens(
    app: Client, make_user: Callable[..., Any], mails: Callable[[], list[EmailMessage]]
) -> list[str]:
    """Return the mailed tokens: an administrator's, and those of a newsletter's subscriber."""
    make_user("boss", role="admin", email=BOSS)
    app.post_json("/api/auth/forgot-password", {"username": "boss"})
    app.post_json("/api/newsletter/subscribe", {"email": VISITOR})
    message = {"name": "Eve", "email": VISITOR, "subject": "whispering", "message": "Hi"}
    app.post_json("/api/contact", message)
    texts = [mail.get_content() for mail in mails()]
    assert any("whispering" in text for text in texts)
    found = re.findall(r"(?:token=|/confirm/)(\S+)", "\n".join(texts))
    assert len(found) == 2
    return found


def answers_to(staff: Client, instance: Instance) -> Iterator[tuple[str, Any]]:
    """Return the answers of all staff endpoints, for the first few ids."""
    for endpoint in instance.endpoints:
        if endpoint.method != "GET" or endpoint.permission == PUBLIC:
            continue
        for number in "123" if "{" in endpoint.path else "1":
            path = re.sub(r"\{\w+\}", number, endpoint.path)
            yield path, staff.get(path, status="*")


@pytest.mark.parametrize("role", ["editor", "admin"])
def test_no_answer_contains_a_mailed_link(
    role: str, app: Client, instance: Instance, tokens: list[str]
) -> None:
    staff = app.as_role(role)
    for address in (BOSS, VISITOR):
        staff.post_json("/api/staff/contacts", {"name": "X", "email": address})

    answers = dict(answers_to(staff, instance))

    exported = [path for path in answers if re.search(r"/\d+/export$", path)]
    assert [answers[path].status_int for path in exported] == [200, 200, 404]
    telling = [
        path
        for path, answer in answers.items()
        if any(text in answer.text for text in (*tokens, "token=", "/newsletter/confirm/"))
    ]
    assert telling == []


def test_a_message_to_the_organisation_is_read_by_staff_with_the_permission(
    app: Client, tokens: list[str], make_user: Callable[..., Any]
) -> None:
    assert tokens
    admin = app.as_role("admin")
    role = {"name": "host", "permissions": ["contacts.read", "contacts.write"]}
    admin.post_json("/api/staff/roles", role)
    host = app.as_user(make_user("host", role="host"))
    made = host.post_json("/api/staff/contacts", {"name": "Boss", "email": BOSS}).json

    told = host.get(f"/api/staff/contacts/{made['id']}/export")

    assert "whispering" not in told.text
