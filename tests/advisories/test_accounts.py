"""Reports about logins, tokens, passwords, resets and look-alike accounts."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Callable, Mapping
from email.message import EmailMessage
from typing import Any
from urllib.parse import unquote

import pytest

from masthead import StartError, User
from masthead.instance import open_instance
from masthead.testing import Client, Clock

LOGIN, FORGOT = "/api/auth/login", "/api/auth/forgot-password"
RESET, CHANGE = "/api/auth/reset-password", "/api/auth/change-password"
PASSWORD, NEW = "correct horse battery staple", "another one of many words"
MakeUser = Callable[..., User]
Mails = Callable[[], list[EmailMessage]]


@pytest.fixture
def settings() -> Mapping[str, str]:
    return {"masthead.auth.throttle": "5"}


@pytest.fixture
def ada(make_user: MakeUser) -> User:
    return make_user("ada", email="ada@example.org")


def log_in(app: Client, name: Any = "ada", password: Any = PASSWORD, status: int = 200) -> Any:
    body = {"username": name, "password": password}
    return app.post_json(LOGIN, body, status=status).json


def encoded(value: Mapping[str, Any]) -> str:
    """Return a part of a JWT."""
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


def decoded(token: str) -> Any:
    """Return the claims of a JWT."""
    part = token.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))


def check(app: Client, token: str, status: int) -> None:
    app.get("/api/auth/check", headers={"Authorization": f"Bearer {token}"}, status=status)


def reset_token(mail: EmailMessage) -> str:
    """Return the token in a mailed link."""
    link = next(line for line in mail.get_content().splitlines() if "reset-password" in line)
    return unquote(link.rpartition("=")[2].strip())


@pytest.mark.parametrize("name", ["none", "None", "NONE", "nOnE", "", "HS384", "RS256", "ES256"])
def test_cve_2015_9235_the_token_does_not_choose_its_algorithm(
    app: Client, admin: Client, name: str
) -> None:
    """CVE-2015-9235 (jsonwebtoken), CVE-2022-29217 (PyJWT): the token chose how it was checked."""
    _, claims, signature = admin.authorization[1].split(".")
    head = encoded({"alg": name, "typ": "JWT"})

    for end in ("", signature):
        check(app, f"{head}.{claims}.{end}", 401)


def test_cve_2018_0114_the_token_does_not_bring_its_key(app: Client, admin: Client) -> None:
    """CVE-2018-0114 (node-jose): a token was checked with the key in its own header."""
    claims = admin.authorization[1].split(".")[1]
    key = base64.urlsafe_b64encode(b"k" * 32).decode().rstrip("=")
    jwk = {"kty": "oct", "k": key, "kid": "1"}
    for header in ({"jwk": jwk}, {"kid": "../../dev/null"}, {"jku": "http://127.0.0.1/"}):
        head = encoded({"alg": "HS256", "typ": "JWT", **header})
        mac = hmac.digest(b"k" * 32, f"{head}.{claims}".encode(), "sha256")
        sign = base64.urlsafe_b64encode(mac).decode().rstrip("=")
        check(app, f"{head}.{claims}.{sign}", 401)


def test_cve_2025_61920_long_tokens_are_refused_early(app: Client) -> None:
    """CVE-2025-61920 (Authlib): parts of a token of any size were decoded before the check."""
    for token in ("a" * 60_000, f"{'a' * 20_000}.{'b' * 20_000}.c", "." * 60_000):
        check(app, token, 401)


def test_cwe_201_tokens_carry_no_personal_data(editor: Client) -> None:
    """CWE-201: a token, which anybody can decode, carried addresses, roles or hashes."""
    claims = decoded(editor.authorization[1])

    assert not {"roles", "permissions", "admin", "email", "password"} & claims.keys()
    assert claims["exp"] - claims["iat"] == 7 * 24 * 3600


@pytest.mark.parametrize(
    "secret",
    [
        "CHANGE_ME_TO_A_COMPLEX_RANDOM_SECRET",
        "thisISaSECRET-change-me-1234567890abcdef",
        "your-secret-key-your-secret-key-your-secret",
        "0" * 64,
        "short",
    ],
)
def test_cve_2023_27524_sample_secrets_are_refused(database_url: str, secret: str) -> None:
    """CVE-2023-27524 (Superset): instances signed sessions with the secret of the documentation."""
    given = {"masthead.database.url": database_url, "masthead.auth.secrets": secret}

    with pytest.raises(StartError, match=r"masthead\.auth\.secrets"):
        open_instance(given, {})


@pytest.mark.usefixtures("ada")
def test_cwe_613_a_new_password_ends_other_tokens(app: Client) -> None:
    """CWE-613: a stolen token stayed valid after its user had changed the password."""
    stolen, own = log_in(app)["token"], log_in(app)["token"]
    body = {"currentPassword": PASSWORD, "newPassword": NEW}

    app.post_json(CHANGE, body, headers={"Authorization": f"Bearer {own}"})

    check(app, own, 200)
    check(app, stolen, 401)


def test_cwe_613_disabled_and_deleted_users_have_no_valid_token(
    app: Client, admin: Client, ada: User, make_user: MakeUser
) -> None:
    """CWE-613: the token of a user who had left was valid until it expired."""
    token = log_in(app)["token"]
    admin.put_json(f"/api/staff/users/{ada.id}", {"disabled": True})
    check(app, token, 401)

    eve = make_user("eve")
    token = log_in(app, "eve")["token"]
    admin.delete(f"/api/staff/users/{eve.id}")
    check(app, token, 401)
    assert log_in(app, "eve", status=401) == log_in(app, "nobody", status=401)


def test_cwe_613_roles_are_read_at_each_request(
    app: Client, admin: Client, make_user: MakeUser
) -> None:
    """CWE-613: the token of a former administrator kept the permissions of that time."""
    eve = make_user("eve", role="admin")
    token = {"Authorization": f"Bearer {log_in(app, 'eve')['token']}"}
    app.get("/api/staff/users", headers=token)

    admin.put_json(f"/api/staff/users/{eve.id}", {"roles": ["editor"]})

    app.get("/api/staff/users", headers=token, status=403)


def test_cve_2019_17240_no_header_is_a_way_around_the_throttle(app: Client, ada: User) -> None:
    """CVE-2019-17240 (Bludit), CVE-2020-35590 (a plugin of WordPress): forged client addresses."""
    body = {"username": ada.username, "password": "wrong password"}
    names = ["X-Forwarded-For", "Client-IP", "X-Real-IP", "Forwarded", "True-Client-IP"]
    names += ["X_Forwarded_For", "CF-Connecting-IP", "X-Client-IP"]

    statuses = [
        app.post_json(LOGIN, body, headers={name: f"192.0.2.{n}"}, status="*").status_int
        for n, name in enumerate(names)
    ]

    assert statuses == [401] * 5 + [429] * 3


def test_cwe_307_spellings_of_a_name_share_the_throttle(app: Client, ada: User) -> None:
    """CWE-307: each spelling of a name had attempts of its own."""
    for name in (ada.username, "ADA", " ada ", "Ada", "aDA"):
        log_in(app, name, "wrong password", 401)

    log_in(app, ada.username, status=429)


@pytest.mark.usefixtures("ada", "real_hashing")
def test_cve_2016_2513_an_unknown_name_costs_a_hashing(app: Client) -> None:
    """CVE-2016-2513, CVE-2024-39329 (Django): the time of a login told whether the user exists."""

    def seconds(name: str) -> float:
        began = time.process_time()
        log_in(app, name, "wrong password", 401)
        return time.process_time() - began

    known = min(seconds("ada") for _ in range(4))
    unknown = min(seconds(f"nobody{n}") for n in range(4))
    assert 0.5 < unknown / known < 2


def test_cve_2013_1443_long_passwords_are_no_work(app: Client, ada: User) -> None:
    """CVE-2013-1443 (Django): hashing a password of megabytes took minutes."""
    log_in(app, ada.username, "x" * 1_500_000, 401)

    own = app.as_user(ada)
    body = {"currentPassword": PASSWORD, "newPassword": "x" * 1_500_000}
    assert "newPassword" in own.post_json(CHANGE, body, status=400).json["error"]


def test_cve_2024_45231_every_reset_is_answered_alike(app: Client, ada: User) -> None:
    """CVE-2024-45231 (Django): the answer to a reset told which addresses have an account."""
    names = [ada.username, ada.email, "nobody", "nobody@example.org"]

    answers = [app.post_json(FORGOT, {"username": name}).json for name in names]

    assert answers == answers[:1] * 4


@pytest.mark.parametrize(
    "name", ["aDa@Example.org", "ada@e\u0445ample.org", "ada@example.org,eve@b.c"]
)
def test_cve_2019_19844_a_reset_is_mailed_to_the_stored_address(
    app: Client, ada: User, mails: Mails, name: str
) -> None:
    """CVE-2019-19844 (Django): a reset for a similar address was mailed to the similar address."""
    app.post_json(FORGOT, {"username": name})

    assert {mail["To"] for mail in mails()} <= {ada.email}


def test_cve_2019_19844_a_dotless_i_is_another_address(
    app: Client, make_user: MakeUser, mails: Mails
) -> None:
    """CVE-2019-19844 (Django): "mıke" (dotless) was the upper case of "mike"."""
    make_user("mike", email="mike@example.org")

    app.post_json(FORGOT, {"username": "mıke@example.org"})

    assert mails() == []


def test_cve_2017_8295_a_mailed_link_leads_to_the_website(
    app: Client, ada: User, mails: Mails
) -> None:
    """CVE-2017-8295 (WordPress), CVE-2022-29933 (Craft): the Host header was in the mailed link."""
    headers = {"Host": "evil.example", "X-Forwarded-Host": "evil.example"}
    app.post_json(FORGOT, {"username": ada.username}, headers=headers)

    [mail] = mails()
    assert "evil.example" not in mail.as_string()
    assert "http://127.0.0.1:6543/staff/reset-password?token=" in mail.get_content()


def test_cve_2023_27474_no_client_chooses_the_mailed_link(
    app: Client, ada: User, mails: Mails
) -> None:
    """CVE-2023-27474 (Directus): parameters of a client put HTML into the mailed link."""
    names = ["resetUrl", "reset_url", "url", "link", "redirect", "subject", "text", "name"]
    body = dict.fromkeys(names, "https://evil.example/?<b>")

    app.post_json(FORGOT, {**body, "username": ada.username})

    assert "evil.example" not in mails()[0].as_string()


def test_cve_2019_18818_only_a_mailed_token_resets(app: Client, ada: User) -> None:
    """CVE-2019-18818 (Strapi): an empty object in place of the token reset any password."""
    forged: list[Any] = [None, {}, [], {"$gt": 0}, 0, True, "", " ", "null", "1.0.9", "." * 199]
    for token in forged:
        app.post_json(RESET, {"token": token, "newPassword": NEW}, status=400)

    log_in(app, ada.username)


def test_cwe_640_a_reset_token_works_once_and_for_an_hour(
    clock: Clock, app: Client, ada: User, mails: Mails
) -> None:
    """CWE-640: a link for a reset, found later in a mailbox or a history, worked again."""
    app.post_json(FORGOT, {"username": ada.username})
    [mail] = mails()
    token = reset_token(mail)

    app.post_json(RESET, {"token": token, "newPassword": NEW})
    app.post_json(RESET, {"token": token, "newPassword": PASSWORD}, status=400)
    log_in(app, password=NEW)

    clock.shift(minutes=3)
    app.post_json(FORGOT, {"username": ada.username})
    late = reset_token(mails()[-1])
    assert late != token
    clock.shift(minutes=61)
    app.post_json(RESET, {"token": late, "newPassword": PASSWORD}, status=400)


def test_rfc_8725_a_token_has_one_purpose(app: Client, ada: User, mails: Mails) -> None:
    """RFC 8725, section 2.8: a token that was issued for one purpose was accepted for another."""
    app.post_json(FORGOT, {"username": ada.username})

    check(app, reset_token(mails()[0]), 401)
    app.post_json(RESET, {"token": log_in(app)["token"][:200], "newPassword": NEW}, status=400)


@pytest.mark.usefixtures("ada")
def test_cwe_799_mailboxes_are_not_flooded_by_resets(app: Client, mails: Mails) -> None:
    """CWE-799: repeated requests for a reset filled the mailbox of the user."""
    for name in ("ada", "ADA", "ada@example.org") * 3:
        app.post_json(FORGOT, {"username": name})

    assert len(mails()) == 1


def test_spotify_2013_no_second_account_of_the_same_name(admin: Client, ada: User) -> None:
    """Spotify, 2013: the spelling of a user name decided whether it was the same account."""
    for name in ("Ada", "ADA", " ada ", ada.email, "ADA@EXAMPLE.ORG"):
        body = {"username": name, "email": "eve@example.org", "password": NEW}
        admin.post_json("/api/staff/users", body, status=400)
    for address in ("ADA@example.org", "ada@EXAMPLE.ORG", " ada@example.org "):
        body = {"username": "eve", "email": address, "password": NEW}
        admin.post_json("/api/staff/users", body, status=400)


def test_cve_2023_45809_no_answer_shows_users_to_others(app: Client, editor: Client) -> None:
    """CVE-2017-5487 (WordPress), CVE-2023-45809 (Wagtail): users without permission saw users."""
    for path in ("/api/staff/users", "/api/staff/users/1", "/api/staff/roles"):
        app.get(path, status=401)
        editor.get(path, status=403)
    for path in ("/api/users", "/api/authors", "/wp-json/wp/v2/users", "/users/me"):
        app.get(path, status=404)


def test_cve_2023_27481_no_answer_shows_a_hash(app: Client, admin: Client, ada: User) -> None:
    """CVE-2023-27481 (Directus): an export contained the hashes of passwords."""
    hashed = hashlib.sha256(PASSWORD.encode()).hexdigest()
    for path in ("/api/staff/users", f"/api/staff/users/{ada.id}", "/api/staff/audit-log"):
        text = admin.get(path, {"fields": "password", "export": "csv"}).text
        assert hashed not in text
        assert "argon2" not in text
    assert hashed not in app.as_user(ada).get("/api/staff/profile").text
