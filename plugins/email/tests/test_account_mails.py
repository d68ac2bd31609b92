"""Mails about staff accounts: password reset links, and notices of a changed address."""

from __future__ import annotations

import base64
import hmac
import re
from collections.abc import Callable
from email.message import EmailMessage
from typing import Any

import pytest

from masthead import Instance
from masthead.testing import Client
from masthead.testing.accounts import PASSWORD
from masthead_email.outbox.services import suppress
from masthead_email.subscribers.links import link_key

FORGOT, RESET = "/api/auth/forgot-password", "/api/auth/reset-password"
NEW = "a brand new password"
Mails = Callable[[], list[EmailMessage]]
MakeUser = Callable[..., Any]


def token_of(mail: EmailMessage) -> str:
    [token] = re.findall(r"/staff/reset-password\?token=(\S+)", mail.get_content())
    return str(token)


def log_in(app: Client, password: str, status: int = 200) -> Any:
    body = {"username": "ada", "password": password}
    return app.post_json("/api/auth/login", body, status=status)


def test_a_user_resets_a_forgotten_password_by_the_link_in_a_mail(
    app: Client, make_user: MakeUser, mails: Mails
) -> None:
    make_user("ada", email="Ada@example.org", display_name="Ada Lovelace")

    app.post_json(FORGOT, {"username": "ADA@example.org"})

    [mail] = mails()
    assert mail["To"] == "Ada Lovelace <ada@example.org>"
    assert mail["Subject"] == "Choose a new password"
    assert mail["Auto-Submitted"] == "auto-generated"
    assert "a new password for ada." in mail.get_content()
    app.post_json(RESET, {"token": token_of(mail), "newPassword": NEW})
    log_in(app, NEW)


def test_a_link_reaches_a_user_who_has_unsubscribed(
    app: Client, make_user: MakeUser, mails: Mails
) -> None:
    make_user("ada", email="ada@example.org")
    for action in ("subscribe", "unsubscribe"):
        app.post_json(f"/api/newsletter/{action}", {"email": "ada@example.org"})

    app.post_json(FORGOT, {"username": "ada"})

    assert [mail["Subject"] for mail in mails()] == ["Choose a new password"]


def test_a_suppressed_address_gets_no_link_and_the_same_response(
    app: Client, instance: Instance, make_user: MakeUser, mails: Mails
) -> None:
    make_user("ada", email="ada@example.org")
    with instance.database.transaction() as session:
        suppress(session, "ada@example.org", "recipient-gone", "gone")

    answers = {app.post_json(FORGOT, {"username": name}).body for name in ("ada", "nobody")}

    assert len(answers) == 1
    assert mails() == []


def test_a_link_cannot_be_forged_with_a_copy_of_the_database(
    app: Client, instance: Instance, make_user: MakeUser, mails: Mails
) -> None:
    make_user("ada", email="ada@example.org")
    app.post_json(FORGOT, {"username": "ada"})
    [mail] = mails()
    claims = token_of(mail).rpartition(".")[0]
    with instance.database.transaction() as session:
        key = link_key(session)

    for separator in (":", "\0"):
        for purpose in ("reset", "auth.reset"):
            mac = hmac.digest(key, f"{purpose}{separator}{claims}".encode(), "sha256")
            forged = f"{claims}.{base64.urlsafe_b64encode(mac).decode().rstrip('=')}"
            app.post_json(RESET, {"token": forged, "newPassword": NEW}, status=400)
    log_in(app, NEW, 401)


@pytest.mark.parametrize("by", ["themselves", "an administrator"])
def test_a_changed_address_is_reported_to_the_former_one(
    app: Client, make_user: MakeUser, mails: Mails, by: str
) -> None:
    ada = make_user("ada", email="ada@example.org")
    # Anybody can unsubscribe any address, which must not prevent the notice.
    for action in ("subscribe", "unsubscribe"):
        app.post_json(f"/api/newsletter/{action}", {"email": "ada@example.org"})

    def change(email: str) -> None:
        if by == "themselves":
            body = {"email": email, "displayName": "x", "currentPassword": PASSWORD}
            app.as_user(ada).put_json("/api/staff/profile", body)
        else:
            app.as_role("admin").put_json(f"/api/staff/users/{ada.id}", {"email": email})

    change("ADA@example.org")
    change("mallory@example.org")

    [mail] = mails()
    assert mail["To"] == "ada@example.org"
    assert mail["Subject"] == "Your e-mail address was changed"
    assert mail["Auto-Submitted"] == "auto-generated"
    assert "The account ada has another" in mail.get_content()
    assert "mallory" not in mail.as_string()


def test_a_first_address_and_a_refused_change_send_no_mail(
    app: Client, make_user: MakeUser, mails: Mails
) -> None:
    make_user("bob", email="bob@example.org")
    ada = app.as_user(make_user("ada", email="ada@example.org"))

    body = {"email": "bob@example.org", "currentPassword": PASSWORD}
    ada.put_json("/api/staff/profile", body, status=400)
    ada.put_json("/api/staff/profile", {"displayName": "x"})

    assert mails() == []
