"""Account recovery: users who forgot their password choose a new one by a mailed link."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import select
from sqlalchemy.orm import Session

from masthead import Instance, Mail, Plugin, StartError, hookimpl, utcnow
from masthead.auth.models import RecoveryRequest
from masthead.auth.services.recovery import Reset, make_token, read_token
from masthead.core_plugin import plugin as core
from masthead.instance import open_instance
from masthead.testing import Client, Clock

FORGOT, RESET = "/api/auth/forgot-password", "/api/auth/reset-password"
NEW = "a brand new password"
SECRET, OLDER = "b7e23ec29af22b0b4e41da31e868d572", "2c26b46b68ffc68ff99b453c1d304134"
OTHERS = "9f86d081884c7d659a2feaa0c55ad015"
MakeUser = Callable[..., Any]


class Post:
    """A plugin's hooks that keep each mail and give one answer to all."""

    def __init__(self) -> None:
        self.mails: list[Mail] = []
        self.answer: bool | None = True

    @hookimpl
    def masthead_deliver_mail(self, mail: Mail) -> bool | None:
        self.mails.append(mail)
        return self.answer


POST = Post()


@pytest.fixture
def post() -> Post:
    """The same object in each test, with a new state, so that tests share an instance."""
    POST.__init__()
    return POST


@pytest.fixture
def plugins(post: Post) -> list[Plugin]:
    return [Plugin("post", hooks=(post,))]


Ask = Callable[[str], Any]


@pytest.fixture
def ask(app: Client, work: Callable[..., None]) -> Ask:
    """Return a function that asks for a link, and lets the worker answer."""

    def send(name: str) -> Any:
        answer = app.post_json(FORGOT, {"username": name})
        work("auth.recovery")
        return answer

    return send


def token_of(mail: Mail) -> str:
    return unquote(re.search(r"/staff/reset-password\?token=(\S+)", mail.variables["text"])[1])


def log_in(app: Client, password: str, status: int = 200) -> Any:
    body = {"username": "ada", "password": password}
    return app.post_json("/api/auth/login", body, status=status)


# The clock stands still before the mail is written.
@pytest.fixture
def token(clock: Clock, ask: Ask, make_user: MakeUser, post: Post) -> str:  # noqa: ARG001
    """The token that was mailed to Ada, who asked by her address."""
    make_user("ada", email="Ada@example.org")
    ask("ADA@example.org")
    [mail] = post.mails
    return token_of(mail)


def test_the_mail_says_what_it_is_about(ask: Ask, make_user: MakeUser, post: Post) -> None:
    make_user("ada", email="ada@example.org", display_name="Ada Lovelace")

    ask("ada")

    [mail] = post.mails
    assert (mail.to, mail.kind, mail.reply_to) == ("ada@example.org", "account", None)
    assert (mail.subject, mail.text) == ("{{subject}}", "{{text}}")
    assert mail.variables["subject"] == "Choose a new password"
    assert "for ada." in mail.variables["text"]
    assert "\n\nhttp://" in mail.variables["text"]
    assert mail.variables["name"] == "Ada Lovelace"


@pytest.mark.parametrize(
    ("language", "subject"),
    [
        ("ar", "اختيار كلمة مرور جديدة"),
        ("de-CH", "Neues Passwort wählen"),
        ("es", "Elija una contraseña nueva"),
        ("fr", "Choisissez un nouveau mot de passe"),
        ("ja", "新しいパスワードの設定"),
        ("it", "Choose a new password"),
    ],
)
def test_mails_about_an_account_are_in_the_language_of_its_user(
    app: Client, ask: Ask, make_user: MakeUser, post: Post, language: str, subject: str
) -> None:
    user = make_user("{{ada}}%", email="ada@example.org", language=language)

    ask("ada@example.org")
    app.as_role("admin").put_json(f"/api/staff/users/{user.id}", {"email": "new@example.org"})

    link, changed = (mail.variables for mail in post.mails)
    assert link["subject"] == subject
    assert "{{ada}}%" in link["text"]
    assert "{{ada}}%" in changed["text"]
    english = changed["subject"] == "Your e-mail address was changed"
    assert english == (language == "it")


def test_the_link_replaces_the_password_and_ends_all_tokens(
    clock: Clock, app: Client, ask: Ask, make_user: MakeUser, post: Post
) -> None:
    ada = app.as_user(make_user("ada", email="ada@example.org"))
    ask("Ada")
    [mail] = post.mails
    clock.shift(minutes=59)

    answer = app.post_json(RESET, {"token": token_of(mail), "newPassword": NEW})

    assert answer.json == {"success": True}
    log_in(app, NEW)
    log_in(app, "correct horse battery staple", 401)
    ada.get("/api/auth/check", status=401)


def test_a_link_works_once(app: Client, token: str) -> None:
    app.post_json(RESET, {"token": token, "newPassword": NEW})

    again = app.post_json(RESET, {"token": token, "newPassword": NEW + "!"}, status=400)

    assert "token" in again.json["error"]
    log_in(app, NEW)


def test_a_link_works_for_an_hour(clock: Clock, app: Client, token: str) -> None:
    clock.shift(hours=1, seconds=1)

    app.post_json(RESET, {"token": token, "newPassword": NEW}, status=400)

    log_in(app, NEW, 401)


@pytest.mark.parametrize("delivers", [True, False, None])
def test_everybody_gets_the_same_answer(
    ask: Ask, make_user: MakeUser, post: Post, delivers: bool | None
) -> None:
    post.answer = delivers
    make_user("ada", email="ada@example.org")
    make_user("eve", email="eve@example.org", disabled=True)

    names = ("ada", "eve", "nobody", "%")
    answers = {ask(name).body for name in names}

    assert len(answers) == 1
    assert [mail.to for mail in post.mails] == ["ada@example.org"]


def test_a_user_who_asks_again_at_once_gets_one_mail(
    clock: Clock, ask: Ask, make_user: MakeUser, post: Post
) -> None:
    make_user("ada", email="ada@example.org")
    make_user("eve", email="eve@example.org")
    for _ in range(3):
        ask("ada")
    assert len(post.mails) == 1

    ask("eve")
    clock.shift(minutes=3)
    ask("ada")

    assert [mail.to[:3] for mail in post.mails] == ["ada", "eve", "ada"]


def test_requests_that_no_worker_answered_for_an_hour_are_dropped(
    clock: Clock, app: Client, ask: Ask, make_user: MakeUser, post: Post, session: Session
) -> None:
    make_user("ada", email="ada@example.org")
    make_user("eve", email="eve@example.org")
    app.post_json(FORGOT, {"username": "ada"})
    clock.shift(hours=1, seconds=1)

    ask("eve")

    assert [mail.to for mail in post.mails] == ["eve@example.org"]
    assert session.scalars(select(RecoveryRequest)).all() == []


def test_many_requests_are_all_answered(
    app: Client, ask: Ask, make_user: MakeUser, post: Post
) -> None:
    make_user("ada", email="ada@example.org")
    for number in range(120):
        app.post_json(FORGOT, {"username": f"nobody {number}"})

    ask("ada")

    assert [mail.to for mail in post.mails] == ["ada@example.org"]


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
def test_the_new_password_is_checked(app: Client, token: str, password: Any) -> None:
    refused = app.post_json(RESET, {"token": token, "newPassword": password}, status=400)

    assert "newPassword" in refused.json["error"]
    app.post_json(RESET, {"token": token, "newPassword": NEW})


@pytest.mark.parametrize(
    "forged", ["", "x", "1.1.9999999999.", "....", "1.1.9999999999.AAAA", "\ud800"]
)
def test_a_forged_token_is_refused(app: Client, token: str, forged: str) -> None:
    app.post_json(RESET, {"token": forged, "newPassword": NEW}, status=400)
    app.post_json(RESET, {"token": f"2{token}", "newPassword": NEW}, status=400)
    app.post_json(RESET, {"token": token[:-1], "newPassword": NEW}, status=400)

    log_in(app, NEW, 401)


def test_a_forged_token_is_refused_before_any_token_was_made(app: Client) -> None:
    app.post_json(RESET, {"token": "1.1.9999999999.AAAA", "newPassword": NEW}, status=400)


def test_the_audit_log_records_it_without_the_token(app: Client, token: str) -> None:
    app.post_json(RESET, {"token": token, "newPassword": NEW})

    log = app.as_role("admin").get("/api/staff/audit-log", {"contentType": "user"})

    assert [entry["action"] for entry in log.json] == ["user.update", "user.forgot-password"]
    assert log.json[1]["detail"] == {"mailed": True}
    assert token not in log.text


@pytest.mark.parametrize("answer", [False, None])
def test_the_audit_log_records_a_mail_that_is_not_delivered(
    app: Client, ask: Ask, make_user: MakeUser, post: Post, answer: bool | None
) -> None:
    post.answer = answer
    make_user("ada", email="ada@example.org")

    ask("ada")

    [entry] = app.as_role("admin").get("/api/staff/audit-log", {"contentType": "user"}).json
    assert (entry["action"], entry["detail"]) == ("user.forgot-password", {"mailed": False})


@given(noise=st.text(max_size=300), user_id=st.integers(0, 2**63), generation=st.integers(0, 2**40))
def test_only_the_exact_token_is_read(
    instance: Instance, noise: str, user_id: int, generation: int
) -> None:
    now = datetime(2026, 5, 1, tzinfo=UTC)
    reset = Reset(user_id, generation)
    token = make_token(instance, reset, now + timedelta(hours=1))

    assert read_token(instance, token, now) == reset
    assert read_token(instance, noise, now) is None
    assert read_token(instance, noise + token, now) in ((None,) if noise else (reset,))


def test_a_link_is_no_login_token_and_a_login_token_is_no_link(
    app: Client, make_user: MakeUser, token: str
) -> None:
    bearer = app.as_user(make_user("eve")).authorization[1]

    app.get("/api/auth/check", headers={"Authorization": f"Bearer {token}"}, status=401)
    app.post_json(RESET, {"token": bearer, "newPassword": NEW}, status=400)


class TestRotation:
    """Secrets that are replaced after links were mailed."""

    @pytest.fixture
    def settings(self) -> Mapping[str, str]:
        return {"masthead.auth.secrets": f"{SECRET} {OLDER}"}

    @pytest.mark.parametrize(("secret", "status"), [(SECRET, 200), (OLDER, 200), (OTHERS, 400)])
    def test_a_link_works_as_long_as_its_secret_is_set(
        self, app: Client, make_user: MakeUser, secret: str, status: int
    ) -> None:
        user = make_user("ada", email="ada@example.org")
        before = open_instance({"masthead.auth.secrets": secret}, {}, {core.name: core})
        reset = Reset(user.id, user.generation)
        token = make_token(before, reset, utcnow() + timedelta(hours=1))
        before.close()

        app.post_json(RESET, {"token": token, "newPassword": NEW}, status=status)


class TestAnotherPage:
    """A website that has its page elsewhere."""

    @pytest.fixture
    def settings(self) -> Mapping[str, str]:
        return {
            "masthead.auth.reset_path": "/team/key/{token}",
            "masthead.site_url": "https://www.example.org",
        }

    def test_the_link_leads_there(self, ask: Ask, make_user: MakeUser, post: Post) -> None:
        make_user("ada", email="ada@example.org")

        ask("ada")

        assert "\nhttps://www.example.org/team/key/" in post.mails[0].variables["text"]


class TestWithoutMail:
    """An instance without a plugin that delivers mail."""

    @pytest.fixture
    def plugins(self) -> list[Plugin]:
        return [core]

    def test_nobody_can_ask_for_a_link(self, app: Client, make_user: MakeUser) -> None:
        make_user("ada", email="ada@example.org")

        for name in ("ada", "nobody"):
            assert app.post_json(FORGOT, {"username": name}, status=404).json == {
                "error": "Not found"
            }
        app.post_json(RESET, {"token": "1.1.9999999999.AAAA", "newPassword": NEW}, status=404)

    def test_the_endpoints_are_not_described(self, instance: Instance) -> None:
        assert not {FORGOT, RESET} & {endpoint.path for endpoint in instance.endpoints}


@pytest.mark.parametrize("path", ["reset", "//evil.test/{token}", "/reset", "/{token}/{token}"])
def test_an_impossible_page_stops_the_start(path: str) -> None:
    with pytest.raises(StartError, match="reset_path"):
        open_instance({"masthead.auth.reset_path": path}, {}, {core.name: core})
