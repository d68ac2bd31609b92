"""Every POST of staff takes an Idempotency-Key, and stores no secret."""

from __future__ import annotations

import re
from typing import Any

import pytest
from sqlalchemy import select

from masthead import Endpoint, Instance
from masthead.http.idempotency import IdempotencyKey
from masthead.http.permissions import PUBLIC
from masthead.testing import Client

KEY = "Idempotency-Key"
WEBHOOKS = "/api/staff/webhooks"


@pytest.fixture
def plugins() -> list[str]:
    """Enable all installed plugins."""
    return []


def address(endpoint: Endpoint) -> str:
    return re.sub(r"{[^{}]*}", "1", endpoint.path)


def test_every_post_of_staff_takes_a_key(app: Client, instance: Instance) -> None:
    admin = app.as_role("admin")
    without_body = 0
    for endpoint in instance.endpoints:
        closed = endpoint.method == "POST" and endpoint.permission != PUBLIC
        if closed:
            assert endpoint.takes_key, endpoint.name
            has_body = endpoint.body is not None and endpoint.body.children
            if endpoint.upload is None and not has_body:
                answer = admin.post_json(address(endpoint), {}, headers={KEY: "a b"}, status=400)
                assert answer.json["fields"][0]["path"] == KEY, endpoint.name
                without_body += 1
        else:
            assert not endpoint.takes_key, endpoint.name
    assert without_body > 5


def test_a_file_is_imported_once(app: Client) -> None:
    admin, key = app.as_role("admin"), {KEY: "1"}

    def bulk_import(name: str, text: str, status: int = 200) -> Any:
        files = [("file", name, text.encode())]
        path = "/api/staff/contacts/bulk-import"
        return admin.post(path, upload_files=files, headers=key, status=status).json

    first = bulk_import("a.csv", "name,email\nAda,ada@example.org\n")
    again = bulk_import("a.csv", "name,email\nAda,ada@example.org\n")
    other = bulk_import("a.csv", "name,email\nAda,ada@example.com\n", status=400)

    assert again == first
    assert first["imported"] == 1
    assert other["fields"][0]["code"] == "key_reused"
    assert bulk_import("b.csv", "name,email\nAda,ada@example.org\n", status=400) == other


def test_secrets_are_not_stored(app: Client, instance: Instance) -> None:
    admin, key = app.as_role("admin"), {KEY: "1"}
    body = {"url": "https://example.org/", "events": ["*"]}

    first = admin.post_json(WEBHOOKS, body, headers=key)
    second = admin.post_json(WEBHOOKS, body, headers=key)
    path = f"{WEBHOOKS}/{first.json['id']}/secret"
    rotated, again = (admin.post_json(path, {}, headers=key).json for _ in range(2))

    assert first.json["secret"]
    assert second.json == {**first.json, "secret": None}
    assert again == {**rotated, "secret": None}
    for secret in (first.json["secret"], rotated["secret"]):
        assert secret not in stored(instance)


def stored(instance: Instance) -> str:
    with instance.database.session(read_only=True) as session:
        rows: Any = session.scalars(select(IdempotencyKey.answer)).all()
    assert len(rows) == 2
    return "".join(rows)


def test_a_letter_is_sent_once(app: Client) -> None:
    admin, path = app.as_role("admin"), "/api/staff/compose-emails"
    letter = {"subject": "Hello", "html_content": "<p>Hello</p>"}
    to = {"recipient_emails": ["ada@example.org"]}
    made = admin.post_json(path, {**letter, **to}, headers={KEY: "1"}).json

    send = f"{path}/{made['id']}/send"
    sent = [admin.post_json(send, {}, headers={KEY: "2"}).json for _ in range(2)]

    assert sent[0] == sent[1]
    assert sent[0]["sentTo"] == 1
    admin.post_json(send, {}, headers={KEY: "3"}, status=400)
