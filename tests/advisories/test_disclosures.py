"""Reports about data and powers that one area, token or answer gave away to another."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.metadata import version
from typing import Any

import pytest

from masthead.testing import Client, Desk

PASSWORD = "correct horse battery staple"


@pytest.fixture
def settings() -> Mapping[str, str]:
    return {"masthead.auth.throttle": "4"}


def test_cwe_307_name_and_address_share_the_throttle(
    app: Client, make_user: Callable[..., Any]
) -> None:
    """CWE-307: a user had as many attempts again by the address as by the name."""
    ada = make_user("ada", email="ada@example.org")

    for name in (ada.username, ada.email, ada.username, ada.email):
        app.post_json("/api/auth/login", {"username": name, "password": "wrong"}, status=401)

    for name in (ada.username, ada.email):
        app.post_json("/api/auth/login", {"username": name, "password": PASSWORD}, status=429)


def test_cwe_620_a_new_address_needs_the_password(
    app: Client, make_user: Callable[..., Any]
) -> None:
    """CWE-620: by a stolen token, the address for resets was changed, and so the password."""
    ada = make_user("ada", email="ada@example.org")
    client, path = app.as_user(ada), "/api/staff/profile"

    client.put_json(path, {"email": "eve@example.org"}, status=400)
    wrong = {"email": "eve@example.org", "currentPassword": "wrong password"}
    client.put_json(path, wrong, status=400)
    assert client.get(path).json["email"] == ada.email


def test_cwe_359_the_export_of_a_contact_shows_no_other_area(
    app: Client, make_role: Callable[..., Any], make_user: Callable[..., Any]
) -> None:
    """CWE-359: an editor of contacts could read the messages of any person by their address."""
    secret = "Between you and me"
    message = {"name": "Ada", "email": "ada@example.org", "subject": "A", "message": secret}
    app.post_json("/api/contact", message)
    make_role("clerk", "contacts.read", "contacts.write")
    clerk = app.as_user(make_user("clerk", role="clerk"))

    made = clerk.post_json("/api/staff/contacts", {"name": "A", "email": "ada@example.org"}).json

    assert secret not in clerk.get(f"/api/staff/contacts/{made['id']}/export").text


def test_cwe_209_the_uses_of_an_image_are_no_titles(
    app: Client,
    upload: Callable[..., Any],
    picture: Callable[..., bytes],
    make_role: Callable[..., Any],
    make_user: Callable[..., Any],
) -> None:
    """CWE-209: the error for an image in use named hidden items of other areas."""
    image = upload(picture())
    Desk(app, "news").as_role("editor").create(title="Top secret", imageUrl=image["url"])
    make_role("archivist", "media.read", "media.write")
    archivist = app.as_user(make_user("archivist", role="archivist"))

    error = archivist.delete(f"/api/staff/images/{image['key']}", status=400).json["error"]

    assert "Top secret" not in error


def test_cwe_359_an_approver_reads_no_subscribers(
    app: Client,
    subscribe: Callable[..., Any],
    make_role: Callable[..., Any],
    make_user: Callable[..., Any],
) -> None:
    """CWE-359: an approver of newsletters could read the addresses of all subscribers."""
    subscribe("ada@example.org")
    make_role("approver", "email.read")
    approver = app.as_user(make_user("approver", role="approver"))

    approver.get("/api/staff/newsletters")
    approver.get("/api/staff/newsletter-subscribers", status=403)


def test_cve_2025_53887_strangers_do_not_learn_the_version(app: Client) -> None:
    """CVE-2025-53887 (Directus): the OpenAPI document told everybody the exact version."""
    assert version("masthead-core") not in app.get("/openapi.json").text
