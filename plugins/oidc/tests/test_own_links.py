"""Links to persons at the provider that users make and delete themselves."""

from __future__ import annotations

from collections.abc import Mapping
from http.cookiejar import CookieJar
from typing import Any

import pytest

from masthead import Instance, Login, Plugin, SecondStep, Unauthenticated, User, hookimpl
from masthead.testing import Client
from masthead.testing.accounts import PASSWORD

LINKS = "/api/auth/oidc/links"
STAFF = "/api/staff/oidc/links"
TOKEN = "/api/auth/oidc/token"
PROOF = {"currentPassword": PASSWORD}


def ticket_of(browser: Any, client: Client, subject: str, proof: Any = PROOF, **body: str) -> str:
    """Begin to link a person as a user, log in at the provider, and return the ticket."""
    url = client.post_json(f"{LINKS}/begin", {**proof, **body}).json["url"]
    ticket: str = browser.answer(browser.open(url), subject)
    return ticket


def test_a_user_links_a_person_and_removes_the_link(
    browser: Any, app: Client, make_user: Any, issuer: Any
) -> None:
    client = app.as_user(user := make_user("ada"))
    assert client.get(LINKS).json == []

    ticket = ticket_of(browser, client, "a1", returnTo="https://www.example.org/staff/me")
    link = client.post_json(LINKS, {"ticket": ticket}).json

    assert browser.returned_to == "https://www.example.org/staff/me"
    assert (link["subject"], link["issuer"], link["user"]["id"]) == ("a1", issuer.url, user.id)
    assert client.get(LINKS).json == [link]
    [told] = client.get("/api/staff/notifications").json
    assert issuer.url in told["message"]
    assert browser.log_in("a1").json["user"]["id"] == user.id

    app.authorization = ("Bearer", browser.log_in("a1").json["token"])
    client.delete(f"{LINKS}/{link['id']}")

    assert client.get(LINKS).json == []
    app.get(LINKS, status=401)
    browser.log_in("a1", 403)
    log = app.as_role("admin").get("/api/staff/audit-log?contentType=user").json
    actions = [each["action"] for each in log if each["actor"]]
    assert actions == ["oidc.unlink", "oidc.link"]


def test_a_link_needs_a_proof_of_the_user(app: Client, make_user: Any) -> None:
    client = app.as_user(make_user("ada"))

    for body in ({}, {"currentPassword": "a wrong one"}):
        refused = client.post_json(f"{LINKS}/begin", body, status=400).json
        assert refused["fields"][0]["path"] == "currentPassword"
    app.post_json(f"{LINKS}/begin", PROOF, status=401)
    client.post_json(f"{LINKS}/begin", {**PROOF, "returnTo": "https://evil.example"}, status=400)
    client.post_json(f"{LINKS}/begin", {**PROOF, "provider": "third"}, status=404)
    assert client.get(LINKS).json == []


class TestThrottled:
    """Guesses of the password."""

    @pytest.fixture
    def settings(self, settings: Mapping[str, str]) -> Mapping[str, str]:
        return {**settings, "masthead.auth.throttle": "1"}

    def test_a_wrong_proof_counts_as_a_failed_login(self, app: Client, make_user: Any) -> None:
        client = app.as_user(make_user("ada"))
        client.post_json(f"{LINKS}/begin", {"currentPassword": "a wrong one"}, status=400)

        client.post_json(f"{LINKS}/begin", PROOF, status=429)


class Gate:
    """Asks for a code after each login by password."""

    @hookimpl
    def masthead_login(self, login: Login) -> SecondStep | None:
        if login.method != "password":
            return None
        if login.code is None:
            return SecondStep("gate", "Which plant?", token="a token")
        if login.code != "rose":
            raise Unauthenticated("Wrong plant")
        return None


class TestSecondStep:
    """A password that is not enough for a login is not enough for a link."""

    @pytest.fixture
    def plugins(self, plugins: list[Plugin]) -> list[Plugin]:
        return [*plugins, Plugin(name="gate", hooks=(Gate(),))]

    @pytest.fixture
    def settings(self, settings: Mapping[str, str]) -> Mapping[str, str]:
        return {**settings, "masthead.auth.throttle": "3"}

    def test_a_link_needs_the_second_step_of_a_login(
        self, browser: Any, app: Client, make_user: Any
    ) -> None:
        client = app.as_user(make_user("ada"))

        lacking = client.post_json(f"{LINKS}/begin", PROOF, status=400).json
        assert (lacking["error"], lacking["code"]) == ("Which plant?", "second_step_required")
        assert (lacking["step"], lacking["stepToken"]) == ("gate", "a token")
        assert lacking["fields"][0]["path"] == "code"
        wrong = client.post_json(f"{LINKS}/begin", {**PROOF, "code": "oak"}, status=400).json
        assert wrong == {"error": "Wrong plant"}

        ticket = ticket_of(browser, client, "a1", code="rose")
        client.post_json(LINKS, {"ticket": ticket})
        app.authorization = ("Bearer", browser.log_in("a1").json["token"])
        app.post_json(f"{LINKS}/begin", {})

    def test_a_wrong_code_counts_as_a_failed_login(self, app: Client, make_user: Any) -> None:
        client = app.as_user(make_user("ada"))
        for _ in range(3):
            client.post_json(f"{LINKS}/begin", {**PROOF, "code": "oak"}, status=400)

        client.post_json(f"{LINKS}/begin", {**PROOF, "code": "rose"}, status=429)


class TestWithoutPasswords:
    """A password is no proof where nobody logs in by one."""

    @pytest.fixture
    def settings(self, settings: Mapping[str, str]) -> Mapping[str, str]:
        return {**settings, "masthead.oidc.password_logins": "false"}

    def test_a_link_needs_a_login_at_the_provider(
        self, browser: Any, app: Client, make_user: Any
    ) -> None:
        user = make_user("ada")
        refused = app.as_user(user).post_json(f"{LINKS}/begin", PROOF, status=400).json
        assert refused == {"error": "Log in at the provider of single sign-on"}

        app.as_role("admin").post_json(STAFF, {"userId": user.id, "subject": "a1"})
        app.authorization = ("Bearer", browser.log_in("a1").json["token"])
        app.post_json(f"{LINKS}/begin", {})


def test_nobody_is_linked_while_the_provider_fails(
    browser: Any, app: Client, make_user: Any, issuer: Any
) -> None:
    client = app.as_user(make_user("ada"))
    ticket = ticket_of(browser, client, "a1")
    issuer.forget()
    issuer.reply(500)

    client.post_json(LINKS, {"ticket": ticket}, status=503)

    assert client.get(LINKS).json == []


def test_a_recent_login_at_the_provider_is_a_proof(
    clock: Any, browser: Any, app: Client, make_user: Any
) -> None:
    user = make_user("ada")
    app.as_role("admin").post_json(STAFF, {"userId": user.id, "subject": "a1"})
    app.authorization = ("Bearer", browser.log_in("a1").json["token"])

    clock.shift(minutes=9)
    app.post_json(f"{LINKS}/begin", {})
    clock.shift(minutes=2)
    app.post_json(f"{LINKS}/begin", {}, status=400)


def test_nobody_links_a_person_to_somebody_else(browser: Any, app: Client, make_user: Any) -> None:
    mallory, ada = app.as_user(make_user("mallory")), app.as_user(make_user("ada"))
    linking, login = ticket_of(browser, mallory, "evil"), browser.prepare("evil")

    # A page with the ticket of mallory, which ada is lured to.
    ada.post_json(LINKS, {"ticket": linking}, status=401)
    # A ticket of a login links nobody, and one of a link logs nobody in.
    ada.post_json(LINKS, {"ticket": login}, status=401)
    app.post_json(TOKEN, {"ticket": linking}, status=401)
    for forged in ("x", f"{linking[:-2]}xx", "x" * 30):
        ada.post_json(LINKS, {"ticket": forged}, status=401)
        answer = app.get("/api/auth/oidc/login", {"link": forged}, status=302)
        assert answer.location.endswith("#error=expired")

    assert ada.get(LINKS).json == []


def test_a_link_begins_in_the_browser_of_the_user(
    browser: Any, app: Client, make_user: Any, clock: Any
) -> None:
    client = app.as_user(make_user("ada"))
    url = client.post_json(f"{LINKS}/begin", PROOF).json["url"]
    browser.open(url)

    app.cookiejar = CookieJar()
    assert browser.come_back() == {"error": "expired"}
    clock.shift(minutes=3)
    assert app.get(url, status=302).location.endswith("#error=expired")


def test_a_person_is_one_user(browser: Any, app: Client, make_user: Any) -> None:
    ada, bob = make_user("ada"), app.as_user(make_user("bob"))
    app.as_role("admin").post_json(STAFF, {"userId": ada.id, "subject": "a1"})

    refused = bob.post_json(LINKS, {"ticket": ticket_of(browser, bob, "a1")}, status=400)

    assert refused.json["fields"][0]["code"] == "already_exists"


def test_links_of_others_are_those_of_administrators(
    browser: Any, app: Client, make_user: Any
) -> None:
    ada, bob, admin = make_user("ada"), make_user("bob"), app.as_role("admin")
    of_ada, of_bob = (
        admin.post_json(STAFF, {"userId": user.id, "subject": user.username}).json
        for user in (ada, bob)
    )

    app.as_user(bob).delete(f"{LINKS}/{of_ada['id']}", status=404)
    assert app.as_user(bob).get(LINKS).json == [of_bob]
    assert admin.get(STAFF, {"userId": ada.id}).json == [of_ada]
    assert admin.get(STAFF).json == [of_bob, of_ada]
    admin.delete(f"{STAFF}/{of_ada['id']}")
    browser.log_in("ada", 403)


@pytest.fixture
def without_password(instance: Instance, make_user: Any) -> User:
    user: User = make_user("ada")
    with instance.database.transaction() as session:
        session.get_one(User, user.id).password = ""
    return user


def test_the_only_way_to_log_in_stays(browser: Any, app: Client, without_password: User) -> None:
    admin = app.as_role("admin")
    first, old = (
        admin.post_json(STAFF, {"userId": without_password.id, **body}).json
        for body in ({"subject": "a1"}, {"subject": "a1", "issuer": "https://old.example"})
    )
    app.authorization = ("Bearer", browser.log_in("a1").json["token"])

    assert "log in any more" in app.delete(f"{LINKS}/{first['id']}", status=400).json["error"]
    second = app.post_json(LINKS, {"ticket": ticket_of(browser, app, "a2", proof={})}).json
    app.delete(f"{LINKS}/{first['id']}")
    app.delete(f"{LINKS}/{second['id']}", status=400)
    app.delete(f"{LINKS}/{old['id']}")
