"""Users who are created or found at the first login, and the roles that the provider gives them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from masthead import Instance, revoke_credentials
from masthead.testing import Client
from masthead.testing.accounts import PASSWORD

ROLES = "masthead.oidc.roles"


@pytest.fixture
def settings(settings: Mapping[str, str]) -> Mapping[str, str]:
    return {
        **settings,
        "masthead.oidc.create_users": "true",
        "masthead.oidc.link_by_email": "true",
        "masthead.oidc.password_logins": "false",
        "masthead.oidc.role_claim": "realm_access.roles",
        ROLES: "board=Admin staff=editor cn=a,dc=b=editor lost=nobody",
        "masthead.oidc.new_user_roles": "reader",
    }


@pytest.fixture
def reader(make_role: Any) -> None:
    make_role("reader")


def log_in(app: Client, name: str, status: int = 200) -> Any:
    body = {"username": name, "password": PASSWORD}
    return app.post_json("/api/auth/login", body, status=status)


def groups(*names: str) -> dict[str, Any]:
    return {"realm_access": {"roles": list(names)}}


@pytest.mark.usefixtures("reader")
def test_a_new_person_becomes_a_user(browser: Any, app: Client) -> None:
    answer = browser.log_in(
        "s1",
        preferred_username="grace",
        name="Grace Hopper",
        email="Grace@Example.org",
        **groups("staff", "unknown", "lost"),
    ).json

    assert answer["user"]["username"] == "grace"
    user = next(
        each
        for each in app.as_role("admin").get("/api/staff/users").json
        if each["id"] == answer["user"]["id"]
    )
    assert (user["displayName"], user["email"]) == ("Grace Hopper", "grace@example.org")
    assert sorted(user["roles"]) == ["editor", "reader"]
    again = browser.log_in("s1", preferred_username="another").json["user"]
    assert again["id"] == answer["user"]["id"]
    # The mapped roles go with the groups; the other one stays.
    assert again["roles"] == ["reader"]


@pytest.mark.usefixtures("reader")
def test_names_come_from_the_user_information(browser: Any, issuer: Any) -> None:
    issuer.user_info = {"sub": "s1", "preferred_username": "grace", **groups("cn=a,dc=b")}
    user = browser.log_in("s1").json["user"]
    assert (user["username"], sorted(user["roles"])) == ("grace", ["editor", "reader"])

    issuer.user_info = {"sub": "s1", "preferred_username": "grace"}
    browser.log_in("s2", status=401)


@pytest.mark.usefixtures("reader")
def test_only_a_verified_address_finds_a_user(browser: Any, make_user: Any) -> None:
    user = make_user("ada", email="ada@example.org", role="reader")
    address = {"email": "ADA@example.org", "preferred_username": "impostor"}

    refused = browser.log_in("evil", status=403, **address).json
    assert refused["code"] == "not_creatable"

    found = browser.log_in("s1", email_verified=True, **address).json["user"]
    assert found["id"] == user.id
    other = browser.log_in("s2", status=403, email_verified=True, **address).json
    assert other["code"] == "already_linked"


@pytest.mark.usefixtures("reader")
def test_a_name_of_another_user_is_refused(browser: Any, make_user: Any) -> None:
    make_user("ada")
    for name in ("ADA", "a\u0501a", "a\x00b", "", "a" * 300):
        refused = browser.log_in("s1", status=403, preferred_username=name).json
        assert refused["code"] == "not_creatable", name


@pytest.mark.usefixtures("reader")
def test_the_last_administrator_stays(browser: Any, app: Client) -> None:
    boss = browser.log_in("s1", preferred_username="boss", **groups("board")).json["user"]
    assert "admin" in boss["roles"]
    admin = app.as_role("admin")
    for user in admin.get("/api/staff/users").json:
        if "admin" in user["roles"] and user["id"] != boss["id"]:
            admin.put_json(f"/api/staff/users/{user['id']}", {"disabled": True}, status="*")

    refused = browser.log_in("s1", status=403).json

    assert refused["code"] == "no_administrator"
    assert "admin" in browser.log_in("s1", **groups("board")).json["user"]["roles"]


def test_passwords_are_refused_if_the_settings_say_so(app: Client, make_user: Any) -> None:
    make_user("ada")

    refused = log_in(app, "ada", 401)

    assert refused.json["error"] == "Log in at the provider of single sign-on"
    shown = app.get("/api/auth/oidc").json
    assert (shown["enabled"], shown["passwordLogins"]) == (True, False)


@pytest.mark.usefixtures("reader")
def test_a_verification_counts_for_the_address_beside_it(
    browser: Any, issuer: Any, make_user: Any
) -> None:
    make_user("ada", email="ada@example.org", role="reader")
    issuer.user_info = {"sub": "evil", "email": "evil@example.org", "email_verified": True}

    for claims in ({"email_verified": None}, {"email_verified": False}):
        refused = browser.log_in("evil", 403, email="ada@example.org", **claims).json
        assert refused["code"] == "not_creatable"

    issuer.user_info = {"sub": "s1", "email": "ada@example.org", "email_verified": True}
    assert browser.log_in("s1", email_verified=None).json["user"]["username"] == "ada"


@pytest.mark.usefixtures("reader")
def test_who_has_taken_an_address_does_not_share_the_user_of_its_owner(
    browser: Any, app: Client, make_user: Any
) -> None:
    mallory = make_user("mallory", role="reader")
    client = app.as_user(mallory)
    taken = {"email": "boss@example.org", "currentPassword": PASSWORD}
    client.put_json("/api/staff/profile", taken)

    boss = browser.log_in(
        "boss", email="boss@example.org", email_verified=True, **groups("board")
    ).json["user"]

    assert (boss["id"], "admin" in boss["roles"]) == (mallory.id, True)
    client.get("/api/auth/check", status=401)


class TestRefusedLogins:
    """A login that is refused changes nothing."""

    @pytest.fixture
    def settings(self, settings: Mapping[str, str]) -> Mapping[str, str]:
        return {**settings, "masthead.oidc.password_logins": "true"}

    @pytest.fixture
    def log(self, app: Client) -> Callable[[], list[Any]]:
        def read() -> list[Any]:
            found = app.as_role("admin").get("/api/staff/audit-log?contentType=user").json
            actions = ("oidc.link", "oidc.refuse", "user.end-tokens")
            return [
                (each["action"], each["contentId"], each["detail"].get("reason"))
                for each in found
                if each["action"] in actions
            ]

        return read

    @pytest.mark.usefixtures("reader")
    def test_the_last_administrator_still_logs_in(
        self, browser: Any, app: Client, make_user: Any, log: Any
    ) -> None:
        boss = make_user("boss", email="boss@example.org", role="admin")
        client = app.as_user(boss)

        for groups_ in ((), ("staff",)):
            address = {"email": "boss@example.org", "email_verified": True, **groups(*groups_)}
            assert browser.log_in("b1", 403, **address).json["code"] == "no_administrator"

        client.get("/api/auth/check")
        assert log_in(app, "boss").json["user"]["roles"] == ["admin"]
        assert log() == [("oidc.refuse", boss.id, "no_administrator")] * 2
        assert client.get("/api/staff/oidc/links").json == []
        address["realm_access"] = {"roles": ["board"]}
        assert browser.log_in("b1", **address).json["user"]["id"] == boss.id

    @pytest.mark.usefixtures("reader")
    def test_a_disabled_user_logs_in_once_enabled_again(
        self, browser: Any, app: Client, make_user: Any, log: Any
    ) -> None:
        ada = make_user("ada", email="ada@example.org", role="reader", disabled=True)
        admin = app.as_role("admin")
        address = {"email": "ada@example.org", "email_verified": True, **groups("board")}

        assert browser.log_in("a1", 403, **address).json["code"] == "disabled"

        assert log() == [("oidc.refuse", ada.id, "disabled")]
        admin.put_json(f"/api/staff/users/{ada.id}", {"disabled": False})
        assert log_in(app, "ada").json["user"]["roles"] == ["reader"]
        assert admin.get("/api/staff/oidc/links").json == []

    def test_a_person_who_gets_no_user_leaves_none(
        self, browser: Any, app: Client, make_user: Any, log: Any
    ) -> None:
        make_user("ada")

        assert browser.log_in("s1", 403, preferred_username="ADA").json["code"] == "not_creatable"

        assert log() == [("oidc.refuse", None, "not_creatable")]
        assert app.as_role("admin").get("/api/staff/oidc/links").json == []


@pytest.mark.usefixtures("reader")
def test_a_person_whose_credentials_are_revoked_has_no_link(
    browser: Any, app: Client, instance: Instance
) -> None:
    claims = {"preferred_username": "ada"}
    answer = browser.log_in("a1", **claims).json

    with instance.database.transaction() as session:
        revoke_credentials(session, answer["user"]["id"])

    assert browser.log_in("a1", 403, **claims).json["code"] == "not_creatable"
    app.authorization = ("Bearer", answer["token"])
    app.get("/api/auth/check", status=401)


class TestOtherClaim:
    """Addresses in another claim than the one that providers verify."""

    @pytest.fixture
    def settings(self, settings: Mapping[str, str]) -> Mapping[str, str]:
        return {
            **settings,
            "masthead.oidc.email_claim": "upn",
            "masthead.oidc.create_users": "false",
            "masthead.oidc.password_logins": "true",
        }

    @pytest.mark.usefixtures("reader")
    def test_only_a_verified_one_finds_a_user(
        self, browser: Any, app: Client, make_user: Any
    ) -> None:
        ada = make_user("ada", email="ada@example.org", role="reader")
        own = {"upn": "ada@example.org", "email_verified": True}

        for claims in ({}, {"email": "evil@example.org"}):
            assert browser.log_in("evil", 403, **own, **claims).json["code"] == "not_linked"
        found = browser.log_in("s1", **own, email="ada@example.org").json["user"]

        assert found["id"] == ada.id
        # Their former password may be that of somebody else who had taken the address.
        log_in(app, "ada", 401)
