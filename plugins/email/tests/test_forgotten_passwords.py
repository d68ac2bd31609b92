"""Staff who forgot their password get back in by a link in a mail."""

from __future__ import annotations

import base64
import hmac
import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as tries
from hypothesis import strategies as st

from masthead import Instance, StartError, utcnow
from masthead.instance import open_instance
from masthead.plugins import installed
from masthead.testing import Client, Clock
from masthead_email.accounts.services import Reset, make_token, read_token
from masthead_email.subscribers.links import link_key

FORGOT, RESET = "/api/auth/forgot-password", "/api/auth/reset-password"
NEW = "a brand new password"
SECRET, OLDER = "b7e23ec29af22b0b4e41da31e868d572", "2c26b46b68ffc68ff99b453c1d304134"
OTHERS = "9f86d081884c7d659a2feaa0c55ad015"
Mails = Callable[[], list[EmailMessage]]
MakeUser = Callable[..., Any]


def token_of(mail: EmailMessage) -> str:
    [token] = re.findall(r"/staff/reset-password\?token=(\S+)", mail.get_content())
    return str(token)


def log_in(app: Client, password: str, status: int = 200) -> Any:
    body = {"username": "ada", "password": password}
    return app.post_json("/api/auth/login", body, status=status)


# The clock stands still before the mail is written.
@pytest.fixture
def token(clock: Clock, app: Client, make_user: MakeUser, mails: Mails) -> str:  # noqa: ARG001
    """The token that Ada was mailed, who asked by her address."""
    make_user("ada", email="Ada@example.org")
    app.post_json(FORGOT, {"username": "ADA@example.org"})
    [mail] = mails()
    assert mail["To"] == "ada@example.org"
    return token_of(mail)


def test_the_link_replaces_the_password_and_ends_all_tokens(
    clock: Clock, app: Client, make_user: MakeUser, mails: Mails
) -> None:
    ada = app.as_user(make_user("ada", email="ada@example.org"))
    app.post_json(FORGOT, {"username": "Ada"})
    [mail] = mails()
    clock.shift(minutes=59)

    answer = app.post_json(RESET, {"token": token_of(mail), "newPassword": NEW})

    assert answer.json == {"success": True}
    log_in(app, NEW)
    log_in(app, "correct horse battery staple", 401)
    ada.get("/api/auth/check", status=401)


def test_a_link_is_good_once(app: Client, token: str) -> None:
    app.post_json(RESET, {"token": token, "newPassword": NEW})

    again = app.post_json(RESET, {"token": token, "newPassword": NEW + "!"}, status=400)

    assert "token" in again.json["error"]
    log_in(app, NEW)


def test_a_link_is_good_for_an_hour(clock: Clock, app: Client, token: str) -> None:
    clock.shift(hours=1, seconds=1)

    app.post_json(RESET, {"token": token, "newPassword": NEW}, status=400)

    log_in(app, NEW, 401)


def test_everybody_is_answered_alike(app: Client, make_user: MakeUser, mails: Mails) -> None:
    make_user("ada", email="ada@example.org")
    make_user("eve", email="eve@example.org", disabled=True)

    answers = {app.post_json(FORGOT, {"username": n}).body for n in ("ada", "eve", "nobody", "%")}

    assert len(answers) == 1
    assert [mail["To"] for mail in mails()] == ["ada@example.org"]


def test_who_asks_again_at_once_gets_one_mail(
    clock: Clock, app: Client, make_user: MakeUser, mails: Mails
) -> None:
    make_user("ada", email="ada@example.org")
    for _ in range(3):
        app.post_json(FORGOT, {"username": "ada"})
    assert len(mails()) == 1

    clock.shift(minutes=3)
    app.post_json(FORGOT, {"username": "ada"})

    assert len(mails()) == 2


def test_a_disabled_or_deleted_user_stays_out(app: Client, token: str) -> None:
    admin = app.as_role("admin")
    [ada] = [user for user in admin.get("/api/staff/users").json if user["username"] == "ada"]
    admin.put_json(f"/api/staff/users/{ada['id']}", {"disabled": True})
    app.post_json(RESET, {"token": token, "newPassword": NEW}, status=400)

    admin.delete(f"/api/staff/users/{ada['id']}")
    app.post_json(RESET, {"token": token, "newPassword": NEW}, status=400)


@pytest.mark.parametrize("body", [{}, {"username": ""}, {"username": None}, {"username": 1}])
def test_a_name_is_required(app: Client, body: Any) -> None:
    assert "username" in app.post_json(FORGOT, body, status=400).json["error"]


@pytest.mark.parametrize("password", ["", "short", "x" * 1025, None, 12345678])
def test_the_new_password_has_to_be_one(app: Client, token: str, password: Any) -> None:
    refused = app.post_json(RESET, {"token": token, "newPassword": password}, status=400)

    assert "newPassword" in refused.json["error"]
    app.post_json(RESET, {"token": token, "newPassword": NEW})


@pytest.mark.parametrize(
    "forged", ["", "x", "1.1.9999999999.", "....", "1.1.9999999999.AAAA", "\ud800"]
)
def test_what_is_no_token_of_ours_is_refused(app: Client, token: str, forged: str) -> None:
    app.post_json(RESET, {"token": forged, "newPassword": NEW}, status=400)
    app.post_json(RESET, {"token": f"2{token}", "newPassword": NEW}, status=400)
    app.post_json(RESET, {"token": token[:-1], "newPassword": NEW}, status=400)

    log_in(app, NEW, 401)


def test_no_token_is_good_before_one_was_made(app: Client) -> None:
    app.post_json(RESET, {"token": "1.1.9999999999.AAAA", "newPassword": NEW}, status=400)


def test_the_audit_log_tells_of_it_without_the_token(app: Client, token: str) -> None:
    app.post_json(RESET, {"token": token, "newPassword": NEW})

    log = app.as_role("admin").get("/api/staff/audit-log", {"contentType": "user"})

    assert [entry["action"] for entry in log.json] == ["user.update", "user.forgot-password"]
    assert token not in log.text


@given(noise=st.text(max_size=300), user_id=st.integers(0, 2**63), generation=st.integers(0, 2**40))
@tries(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_only_the_very_token_is_read(
    instance: Instance, noise: str, user_id: int, generation: int
) -> None:
    now = datetime(2026, 5, 1, tzinfo=UTC)
    reset = Reset(user_id, generation)
    token = make_token(instance, reset, now + timedelta(hours=1))

    assert read_token(instance, token, now) == reset
    assert read_token(instance, noise, now) is None
    assert read_token(instance, noise + token, now) in ((None,) if noise else (reset,))


def test_who_has_a_copy_of_the_database_can_make_no_link(
    app: Client, instance: Instance, token: str
) -> None:
    with instance.database.transaction() as session:
        key = link_key(session)
    said = token.rpartition(".")[0]

    for separator in (":", "\0"):
        for purpose in ("reset", "email.reset"):
            mac = hmac.digest(key, f"{purpose}{separator}{said}".encode(), "sha256")
            forged = f"{said}.{base64.urlsafe_b64encode(mac).decode().rstrip('=')}"
            app.post_json(RESET, {"token": forged, "newPassword": NEW}, status=400)
    log_in(app, NEW, 401)


def test_a_link_is_no_login_and_a_login_is_no_link(
    app: Client, make_user: MakeUser, token: str
) -> None:
    bearer = app.as_user(make_user("eve")).authorization[1]

    app.get("/api/auth/check", headers={"Authorization": f"Bearer {token}"}, status=401)
    app.post_json(RESET, {"token": bearer, "newPassword": NEW}, status=400)


class TestRotation:
    """Where the secret was replaced while links were on their way."""

    @pytest.fixture
    def settings(self) -> Mapping[str, str]:
        return {"masthead.auth.secrets": f"{SECRET} {OLDER}"}

    @pytest.mark.parametrize(("secret", "status"), [(SECRET, 200), (OLDER, 200), (OTHERS, 400)])
    def test_a_link_is_good_as_long_as_its_secret_is_set(
        self, app: Client, make_user: MakeUser, secret: str, status: int
    ) -> None:
        user = make_user("ada", email="ada@example.org")
        available = {name: p for name, p in installed().items() if name in ("core", "email")}
        before = open_instance({"masthead.auth.secrets": secret}, {}, available)
        reset = Reset(user.id, user.generation)
        token = make_token(before, reset, utcnow() + timedelta(hours=1))
        before.close()

        app.post_json(RESET, {"token": token, "newPassword": NEW}, status=status)


class TestAnotherPage:
    """Where the website has its page elsewhere."""

    @pytest.fixture
    def settings(self) -> Mapping[str, str]:
        return {
            "masthead.email.reset_path": "/team/key/{token}",
            "masthead.site_url": "https://www.example.org",
        }

    def test_the_link_leads_there(self, app: Client, make_user: MakeUser, mails: Mails) -> None:
        make_user("ada", email="ada@example.org")

        app.post_json(FORGOT, {"username": "ada"})

        assert "https://www.example.org/team/key/" in mails()[0].get_content()


@pytest.mark.parametrize("path", ["reset", "//evil.test/{token}", "/reset", "/{token}/{token}"])
def test_a_page_that_cannot_be_stops_the_start(path: str) -> None:
    available = {name: p for name, p in installed().items() if name in ("core", "email")}

    with pytest.raises(StartError, match="reset_path"):
        open_instance({"masthead.email.reset_path": path}, {}, available)


@pytest.mark.parametrize("by", ["themselves", "an administrator"])
def test_who_loses_an_address_is_told_there(
    app: Client, make_user: MakeUser, mails: Mails, by: str
) -> None:
    ada = make_user("ada", email="ada@example.org")
    # What anybody can do for anybody keeps nobody from hearing of it.
    for door in ("subscribe", "unsubscribe"):
        app.post_json(f"/api/newsletter/{door}", {"email": "ada@example.org"})

    def change(email: str) -> None:
        if by == "themselves":
            app.as_user(ada).put_json("/api/staff/profile", {"email": email, "displayName": "x"})
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


def test_a_first_address_and_a_refused_change_tell_nobody(
    app: Client, make_user: MakeUser, mails: Mails
) -> None:
    make_user("bob", email="bob@example.org")
    ada = app.as_user(make_user("ada", email="ada@example.org"))

    ada.put_json("/api/staff/profile", {"email": "bob@example.org"}, status=400)
    ada.put_json("/api/staff/profile", {"displayName": "x"})

    assert mails() == []
