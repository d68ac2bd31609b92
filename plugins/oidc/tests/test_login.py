"""Logins at a provider, from the address of the login to the token."""

from __future__ import annotations

from base64 import b64decode, urlsafe_b64encode
from hashlib import sha256
from http.cookiejar import CookieJar
from typing import Any
from urllib.parse import parse_qs, parse_qsl, unquote, urlsplit

import pytest

from masthead import Login, Plugin, SecondStep, TooMany, Unauthenticated, User, hookimpl, utcnow
from masthead.testing import Client

PAGE = "https://www.example.org/staff"
EVENT = "http://schemas.openid.net/event/backchannel-logout"
TOKEN = "/api/auth/oidc/token"
LINKS = "/api/staff/oidc/links"


@pytest.fixture
def linked(app: Client, make_user: Any) -> User:
    """A user who is linked to the person "ada" at the provider."""
    user: User = make_user("ada")
    app.as_role("admin").post_json(LINKS, {"userId": user.id, "subject": "ada"})
    return user


def test_a_linked_person_logs_in(app: Client, browser: Any, issuer: Any, make_user: Any) -> None:
    user, admin = make_user("ada"), app.as_role("admin")
    admin.post_json(LINKS, {"userId": user.id, "subject": "a1b2"})

    answer = browser.log_in("a1b2").json

    assert answer["user"]["username"] == "ada"
    app.authorization = ("Bearer", answer["token"])
    assert app.get("/api/auth/check").json["user"]["id"] == user.id
    [link] = admin.get(LINKS).json
    assert (link["subject"], link["issuer"]) == ("a1b2", issuer.url)
    assert link["lastLoginAt"] is not None


def test_the_request_has_pkce_state_and_nonce(browser: Any, issuer: Any) -> None:
    sent = browser.begin()
    browser.log_in(status=403)

    exchange = next(each for each in issuer.received if each.path == "/token")
    body = {name: values[0] for name, values in parse_qs(exchange.body.decode()).items()}
    sent, further = browser.sent, sent
    digest = sha256(body["code_verifier"].encode()).digest()
    assert urlsafe_b64encode(digest).decode().rstrip("=") == sent["code_challenge"]
    assert sent["code_challenge_method"] == "S256"
    assert (sent["response_type"], sent["scope"]) == ("code", "openid profile email")
    assert body["redirect_uri"] == sent["redirect_uri"]
    assert all(sent[name] != further[name] for name in ("state", "nonce", "code_challenge"))
    kind, _, value = exchange.headers["authorization"].partition(" ")
    name, _, secret = b64decode(value).decode().partition(":")
    assert (kind, name, unquote(secret)) == ("Basic", "masthead", "a secret+with%20signs&more")


def test_the_browser_returns_only_to_allowed_addresses(browser: Any) -> None:
    for address in (
        "https://www.example.org.evil.example/",
        "https://www.example.org/staffroom",
        "https://www.example.org/staff/../other",
        "https://www.example.org/staff/%2E%2e/other",
        "https://www.example.org/staff\\@evil.example",
        "https://www.example.org@evil.example/",
        "https://evil.example/?https://www.example.org/staff",
        "//www.example.org/staff",
        "https://www.example.org/staff#ticket=",
        "https://www.example.org/staff\r\nSet-Cookie: a=b",
        "javascript:alert(1)",
    ):
        query = {"returnTo": address}
        refused = browser.app.get("/api/auth/oidc/login", query, status=400)
        assert refused.json["fields"][0]["path"] == "returnTo", address

    for address in (PAGE, f"{PAGE}/login?from=%2Fnews&x=1", "https://other.example.org/"):
        browser.begin(returnTo=address)
        assert browser.come_back().keys() == {"ticket"}
        assert browser.returned_to == address


def test_an_answer_belongs_to_the_browser_that_asked(browser: Any, app: Client) -> None:
    browser.begin(returnTo=f"{PAGE}/a")
    cookies, app.cookiejar = app.cookiejar, CookieJar()

    assert browser.come_back() == {"error": "expired"}
    assert browser.returned_to == PAGE
    app.cookiejar = cookies
    assert browser.come_back(state="another") == {"error": "expired"}
    assert browser.come_back(iss="https://evil.example") == {"error": "provider_error"}
    assert browser.come_back() == {"error": "expired"}, "an attempt can be finished once"


def test_two_logins_at_once_in_one_browser(browser: Any) -> None:
    first = dict(browser.begin(returnTo=f"{PAGE}/a"))
    browser.begin(returnTo=f"{PAGE}/b")

    assert browser.come_back().keys() == {"ticket"}
    assert browser.returned_to == f"{PAGE}/b"
    assert browser.come_back(state=first["state"]).keys() == {"ticket"}
    assert browser.returned_to == f"{PAGE}/a"


def test_errors_of_the_provider_reach_the_page(browser: Any) -> None:
    for sent, code in (
        ({"error": "access_denied"}, "cancelled"),
        ({"error": "server_error"}, "provider_error"),
        ({"code": None}, "provider_error"),
    ):
        browser.begin()
        assert browser.come_back(**sent) == {"error": code}


@pytest.mark.usefixtures("linked")
def test_a_ticket_is_exchanged_once(browser: Any, clock: Any) -> None:
    ticket = browser.prepare()
    browser.app.post_json(TOKEN, {"ticket": ticket})

    again = browser.app.post_json(TOKEN, {"ticket": ticket}, status=401)
    assert again.json["error"] == "The login has expired; begin again"
    browser.begin()
    for wrong in (ticket[:-1], "x", ticket.replace(".", ""), browser.cookie, "\u00e9.a.b.c.d"):
        browser.app.post_json(TOKEN, {"ticket": wrong}, status=401)
    late = browser.prepare()
    clock.shift(minutes=3)
    browser.app.post_json(TOKEN, {"ticket": late}, status=401)


@pytest.mark.usefixtures("clock", "linked")
def test_forged_id_tokens_are_refused(browser: Any, issuer: Any) -> None:
    now = utcnow().timestamp()
    public = issuer.key.as_dict(private=False)
    for wrong in (
        {"signer": issuer.new_key()},
        {"header": {"alg": "none"}},
        {"header": {"alg": "HS256"}},
        {"header": {"alg": "RS256", "jwk": public}, "signer": issuer.new_key()},
    ):
        ticket = browser.prepare()
        vars(issuer).update(wrong)
        browser.app.post_json(TOKEN, {"ticket": ticket}, status=401)
        issuer.restore()
    for wrong in (
        {"aud": "another"},
        {"aud": ["masthead", "another"], "azp": "another"},
        {"aud": ["another", "third"]},
        {"aud": ["masthead", "another"]},
        {"azp": "another"},
        {"aud": None},
        {"iss": None},
        {"exp": None},
        {"iat": None},
        {"iss": "https://evil.example"},
        {"nonce": "another"},
        {"nonce": None},
        {"exp": now - 61},
        {"exp": "tomorrow"},
        {"iat": now + 120},
        {"nbf": now + 120},
        {"sub": ""},
        {"sub": None},
        {"sub": 7},
        {"sub": "a" * 300},
        {"at_hash": "AAAA"},
    ):
        answer = browser.log_in(status=401, **wrong)
        assert answer.json["error"] == "The answer of the provider isn't valid", wrong
    browser.log_in(exp=now - 50, iat=now + 50)


@pytest.mark.usefixtures("linked")
def test_new_keys_of_the_provider_are_read(browser: Any, issuer: Any) -> None:
    browser.log_in()
    issuer.key = issuer.new_key()

    browser.log_in()

    reads = [each for each in issuer.received if each.path == "/jwks"]
    issuer.header = {"alg": "RS256", "kid": "unknown"}
    for _ in range(3):
        browser.log_in(status=401)
    assert len(reads) == len([each for each in issuer.received if each.path == "/jwks"]) == 2


@pytest.mark.usefixtures("linked")
def test_a_provider_that_fails_is_left_alone_for_a_while(browser: Any, issuer: Any) -> None:
    ticket = browser.prepare()
    issuer.forget()
    issuer.reply(500)

    down = browser.app.post_json(TOKEN, {"ticket": ticket}, status=503)
    browser.app.post_json(TOKEN, {"ticket": ticket}, status=503)

    logout = {"logout_token": issuer.sign({"iss": issuer.url})}
    browser.app.post("/api/auth/oidc/backchannel-logout", logout, status=503)

    assert down.headers["Retry-After"] == "10"
    assert len(issuer.received) == 1
    answer = browser.app.get("/api/auth/oidc/login", status=302)
    assert answer.location == f"{PAGE}#error=unavailable"


@pytest.mark.usefixtures("linked")
def test_a_refused_code_is_no_outage(browser: Any, issuer: Any) -> None:
    ticket = browser.prepare()
    browser.log_in()
    issuer.reply(400, body=b'{"error": "invalid_grant"}')

    browser.app.post_json(TOKEN, {"ticket": ticket}, status=401)

    browser.log_in()


def test_a_person_without_a_user_is_refused(browser: Any, app: Client, make_user: Any) -> None:
    make_user("bob", email="bob@example.org")
    admin = app.as_role("admin")

    refused = browser.log_in("b2", status=403, email="bob@example.org", email_verified=True)

    assert refused.json["code"] == "not_linked"
    [entry] = admin.get("/api/staff/audit-log?action=oidc.refuse").json
    assert entry["detail"] == {"reason": "not_linked", "subject": "b2"}


def test_a_disabled_user_is_refused(browser: Any, app: Client, linked: Any) -> None:
    ticket = browser.prepare()
    app.as_role("admin").put_json(f"/api/staff/users/{linked.id}", {"disabled": True})

    refused = browser.app.post_json(TOKEN, {"ticket": ticket}, status=403)

    assert refused.json["code"] == "disabled"


def test_links_are_managed_by_administrators(browser: Any, app: Client, linked: Any) -> None:
    admin, token = app.as_role("admin"), browser.log_in().json["token"]
    app.as_role("editor").get(LINKS, status=403)
    for body, path in (
        ({"userId": 99, "subject": "x"}, "userId"),
        ({"userId": linked.id, "subject": "ada"}, "subject"),
        ({"userId": linked.id, "subject": ""}, "subject"),
    ):
        assert admin.post_json(LINKS, body, status=400).json["fields"][0]["path"] == path
    [link] = admin.get(LINKS).json

    admin.delete(f"{LINKS}/{link['id']}")

    admin.delete(f"{LINKS}/{link['id']}", status=404)
    app.authorization = ("Bearer", token)
    app.get("/api/auth/check", status=401)
    browser.log_in(status=403)


@pytest.mark.usefixtures("linked")
def test_a_logout_leads_to_the_provider(browser: Any, app: Client, issuer: Any) -> None:
    path, token = "/api/auth/oidc/logout", browser.log_in().json["token"]
    app.authorization = ("Bearer", token)
    app.post_json(path, {"returnTo": "https://evil.example"}, status=400)

    url = app.post_json(path, {"returnTo": f"{PAGE}/bye"}).json["url"]

    parts = urlsplit(url)
    query = dict(parse_qsl(parts.query))
    assert f"{parts.scheme}://{parts.netloc}{parts.path}" == f"{issuer.url}/end"
    assert query["post_logout_redirect_uri"] == f"{PAGE}/bye"
    assert query["client_id"] == "masthead"
    assert query["id_token_hint"] == issuer.sign(issuer.claims)
    assert app.post_json(path, {}).json == {"url": None}
    assert app.as_role("editor").post_json(path, {}).json == {"url": None}


@pytest.mark.usefixtures("linked")
def test_the_provider_ends_the_tokens_of_a_user(browser: Any, app: Client, issuer: Any) -> None:
    def post(status: int, **claims: Any) -> None:
        now = int(utcnow().timestamp())
        own = {"iss": issuer.url, "aud": "masthead", "iat": now, "exp": now + 120, "jti": "1"}
        text = issuer.sign({**own, "events": {EVENT: {}}, "sub": "ada", **claims})
        app.post("/api/auth/oidc/backchannel-logout", {"logout_token": text}, status=status)

    app.authorization = ("Bearer", browser.log_in(sid="s1").json["token"])
    old = utcnow().timestamp() - 900
    for wrong in ({"events": {}}, {"nonce": "a"}, {"aud": "another"}, {"sub": None}, {"iat": old}):
        post(400, **wrong)
    post(200, sub="nobody")
    app.get("/api/auth/check")

    post(200)

    app.get("/api/auth/check", status=401)
    app.authorization = ("Bearer", browser.log_in(sid="s2").json["token"])
    post(200, sub=None, sid="s2")
    app.get("/api/auth/check", status=401)


def test_the_page_with_the_login_form_learns_the_ways(app: Client) -> None:
    answer = app.get("/api/auth/oidc")

    assert answer.json == {"enabled": True, "passwordLogins": True, "providers": ["default"]}
    known = {"If-None-Match": answer.headers["ETag"]}
    app.get("/api/auth/oidc", headers=known, status=304)


@pytest.mark.parametrize("provider", ["", "/elsewhere"])
def test_a_callback_with_a_malformed_state_is_refused(app: Client, provider: str) -> None:
    app.get(f"/api/auth/oidc/callback{provider}", {"state": "a\0b"}, status=400)


class Steps:
    """A plugin that asks for a code."""

    @hookimpl
    def masthead_login(self, login: Login) -> SecondStep | None:
        if login.code is None:
            return SecondStep("number")
        if login.code == "again":
            raise TooMany("Too many codes", 60)
        if login.code != "42":
            raise Unauthenticated("Wrong code")
        return None


class TestSecondStep:
    """A login that needs a second step."""

    @pytest.fixture
    def plugins(self, plugins: list[Plugin]) -> list[Plugin]:
        return [*plugins, Plugin(name="steps", hooks=(Steps(),))]

    @pytest.mark.usefixtures("linked")
    def test_the_same_ticket_is_sent_with_the_code(self, browser: Any, issuer: Any) -> None:
        ticket = browser.prepare()

        asked = browser.app.post_json(TOKEN, {"ticket": ticket}, status=401).json
        wrong = browser.app.post_json(TOKEN, {"ticket": ticket, "code": "1"}, status=401).json
        browser.app.post_json(TOKEN, {"ticket": ticket, "code": "again"}, status=429)
        browser.app.post_json(TOKEN, {"ticket": ticket, "code": "42"})

        assert (asked["code"], asked["step"]) == ("second_step_required", "number")
        assert wrong == {"error": "Wrong code"}
        assert len([each for each in issuer.received if each.path == "/token"]) == 1
        browser.app.post_json(TOKEN, {"ticket": ticket, "code": "42"}, status=401)
