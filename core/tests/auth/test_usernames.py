"""Usernames that could be taken for others."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from masthead.auth.models import User
from masthead.testing.accounts import PASSWORD
from masthead.testing.client import Client

PATH = "/api/staff/users"
MakeUser = Callable[..., User]
HIDDEN = [
    "bo\u200bss",
    "bo\u00adss",
    "bo\u200dss",
    "bo\u034fss",
    "\u202eboss",
    "boss\u200e",
    "bo\u2066ss",
    "boss\ufe0f",
    "ک\u200cب",
    "bo\x7fss",
    "bo\x9bss",
    "bo\nss",
    "bo\r\nss",
    "bo\tss",
    "bo\x85ss",
    "bo\u2028ss",
    "bo\u2029ss",
]


@pytest.fixture
def admin(app: Client, make_user: MakeUser) -> Client:
    make_user("boss", role="admin")
    return app.as_user(make_user("root", role="admin"))


def new(username: str, email: str = "new@example.org") -> dict[str, str]:
    return {"username": username, "email": email, "password": PASSWORD}


@pytest.mark.parametrize("username", HIDDEN)
def test_a_username_has_nothing_hidden(admin: Client, username: str) -> None:
    refused = admin.post_json(PATH, new(username), status=400).json

    assert refused["error"].startswith("username: Must not contain ")
    own = admin.put_json("/api/staff/profile", {"username": username}, status=400).json
    assert own == refused


@pytest.mark.parametrize("blank", ["\u200b", "\ufeff", " \u2060\u00ad", "\u2800", "\u3164"])
def test_a_username_that_nobody_sees_is_blank(admin: Client, blank: str) -> None:
    error = admin.post_json(PATH, new(blank), status=400).json["error"]

    assert error == "username: Required"


@pytest.mark.parametrize("username", ["bоss", "BОЅS", "ｂｏｓｓ"])
def test_a_username_does_not_look_like_another_login(admin: Client, username: str) -> None:
    refused = admin.post_json(PATH, new(username), status=400)

    assert "error" in refused.json
    admin.put_json("/api/staff/profile", {"username": username}, status=400)


def test_an_address_does_not_look_like_another_login(admin: Client) -> None:
    admin.post_json(PATH, new("anna", "anna@example.org"))

    error = admin.post_json(PATH, new("ben", "аnna@example.org"), status=400).json["error"]

    assert error == "email: Looks like the name or address of another user"
    admin.post_json(PATH, new("аnna@example.org", "b@example.org"), status=400)


def test_users_who_look_alike_already_can_be_changed(admin: Client, make_user: MakeUser) -> None:
    twin = make_user("bоss")

    for change in ({"displayName": "Twin"}, {"username": "bоss"}, {"username": "twin"}):
        admin.put_json(f"{PATH}/{twin.id}", change)
