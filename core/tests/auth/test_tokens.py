"""Valid and invalid tokens, and the secrets that sign them."""

from __future__ import annotations

import base64
import json
import stat
import string
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import jwt
import pytest

from masthead.auth.models import User
from masthead.auth.setup import make_secrets
from masthead.auth.tokens import SECRETS, Tokens, secret_file
from masthead.core_plugin import plugin as core
from masthead.errors import StartError
from masthead.instance import Instance, open_instance
from masthead.testing.client import Client
from masthead.testing.clock import Clock

SECRET = "b7e23ec29af22b0b4e41da31e868d572"
OLDER = "2c26b46b68ffc68ff99b453c1d304134"


@pytest.fixture
def settings() -> Mapping[str, str]:
    return {SECRETS.name: f"{SECRET} {OLDER}"}


@pytest.fixture
def user(make_user: Callable[..., User]) -> User:
    return make_user("ada", role="editor")


@pytest.fixture
def claims(clock: Clock, user: User) -> dict[str, Any]:
    """The claims of a valid token for the user."""
    now = int(clock.now().timestamp())
    week = 7 * 24 * 3600
    return {
        "sub": str(user.id),
        "username": "ada",
        "iat": now,
        "exp": now + week,
        "jti": "any",
        "gen": user.generation,
    }


def sign(claims: dict[str, Any], secret: str = SECRET, **options: Any) -> str:
    return jwt.encode(claims, secret, **options)


def part(value: dict[str, Any]) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


def status_of(app: Client, token: str) -> int:
    headers = {"Authorization": f"Bearer {token}"}
    status: int = app.get("/api/auth/check", headers=headers, status="*").status_int
    return status


def test_a_token_holds_the_documented_claims(clock: Clock, instance: Instance, user: User) -> None:
    token = Tokens(instance).issue(user.id, "ada", 3)

    claims = jwt.decode(token, SECRET, ["HS256"], {"verify_exp": False, "verify_iat": False})
    assert jwt.get_unverified_header(token)["alg"] == "HS256"
    assert set(claims) == {"sub", "username", "iat", "exp", "jti", "gen"}
    assert claims["sub"] == str(user.id)
    assert claims["username"] == "ada"
    assert claims["iat"] == int(clock.now().timestamp())
    assert claims["exp"] == claims["iat"] + 7 * 24 * 3600
    assert claims["gen"] == 3


def test_a_valid_token_is_accepted(app: Client, claims: dict[str, Any]) -> None:
    assert status_of(app, sign(claims)) == 200


def test_the_first_secret_signs_and_all_verify(
    app: Client, instance: Instance, claims: dict[str, Any]
) -> None:
    assert status_of(app, sign(claims, OLDER)) == 200
    token = Tokens(instance).issue(1, "ada", 1)
    assert jwt.decode(token, SECRET, ["HS256"], {"verify_exp": False, "verify_iat": False})


def test_a_token_signed_with_another_secret_is_refused(app: Client, claims: dict[str, Any]) -> None:
    assert status_of(app, sign(claims, "9f86d081884c7d659a2feaa0c55ad015")) == 401


def test_an_unsigned_token_is_refused(app: Client, claims: dict[str, Any]) -> None:
    for algorithm in ("none", "None", "NONE", ""):
        unsigned = f"{part({'alg': algorithm, 'typ': 'JWT'})}.{part(claims)}"
        signature = sign(claims).rpartition(".")[2]

        assert status_of(app, f"{unsigned}.") == 401
        assert status_of(app, unsigned) == 401
        assert status_of(app, f"{unsigned}.{signature}") == 401


@pytest.mark.parametrize("algorithm", ["HS384", "HS512"])
def test_another_algorithm_is_refused_even_with_the_right_secret(
    app: Client, claims: dict[str, Any], algorithm: str
) -> None:
    with pytest.warns(jwt.InsecureKeyLengthWarning):
        token = sign(claims, algorithm=algorithm)

    assert status_of(app, token) == 401


def test_a_header_that_claims_another_algorithm_is_refused(
    app: Client, claims: dict[str, Any]
) -> None:
    _, payload, signature = sign(claims).split(".")

    for algorithm in ("RS256", "ES256", "HS512", "EdDSA", 1, None):
        header = part({"alg": algorithm, "typ": "JWT", "kid": "../../dev/null"})
        assert status_of(app, f"{header}.{payload}.{signature}") == 401


def test_a_changed_claim_is_refused(app: Client, claims: dict[str, Any]) -> None:
    header, _, signature = sign(claims).split(".")

    assert status_of(app, f"{header}.{part({**claims, 'sub': '1'})}.{signature}") == 401


def test_a_token_ends_seven_days_after_its_issue(
    clock: Clock, app: Client, claims: dict[str, Any]
) -> None:
    token = sign(claims)

    clock.shift(days=7, seconds=-1)
    assert status_of(app, token) == 200
    clock.shift(seconds=1)
    assert status_of(app, token) == 401


def test_a_token_ends_by_the_time_of_its_issue_whatever_exp_says(
    clock: Clock, app: Client, claims: dict[str, Any]
) -> None:
    token = sign({**claims, "exp": claims["exp"] + 10**9})

    clock.shift(days=7)
    assert status_of(app, token) == 401


def test_a_token_ends_at_exp_where_that_is_earlier(
    clock: Clock, app: Client, claims: dict[str, Any]
) -> None:
    token = sign({**claims, "exp": claims["iat"] + 60})

    clock.shift(seconds=60)
    assert status_of(app, token) == 401


def test_a_token_from_the_future_is_refused(app: Client, claims: dict[str, Any]) -> None:
    assert status_of(app, sign({**claims, "iat": claims["iat"] + 30})) == 200
    assert status_of(app, sign({**claims, "iat": claims["iat"] + 61})) == 401


@pytest.mark.parametrize("claim", ["sub", "iat", "exp", "jti", "gen"])
def test_a_token_that_lacks_a_claim_is_refused(
    app: Client, claims: dict[str, Any], claim: str
) -> None:
    del claims[claim]

    assert status_of(app, sign(claims)) == 401


@pytest.mark.parametrize(
    "wrong",
    [
        {"sub": "ada"},
        {"sub": "-1"},
        {"sub": "9" * 30},
        {"sub": "٣"},
        {"iat": "today"},
        {"iat": 1.5},
        {"exp": True},
        {"exp": "never"},
        {"gen": "1"},
        {"gen": None},
        {"jti": None},
    ],
)
def test_a_token_with_a_malformed_claim_is_refused(
    app: Client, claims: dict[str, Any], wrong: dict[str, Any]
) -> None:
    assert status_of(app, sign({**claims, **wrong})) == 401


def test_a_token_with_an_endless_exp_ends_by_the_time_of_its_issue(
    app: Client, claims: dict[str, Any]
) -> None:
    assert status_of(app, sign({**claims, "exp": 10**400})) == 200
    assert status_of(app, sign({**claims, "iat": -(10**400), "exp": 10**400})) == 401


@pytest.mark.parametrize(
    "header",
    [
        "",
        "Bearer",
        "Bearer ",
        "Basic YWRhOnB3",
        "Bearer x",
        "Bearer a.b.c",
        "Bearer ..",
        "Bearer a b",
        "Bearer \xe9\xe9.\xff.\xfe",
        "Bearer " + "x" * 20_000,
        "Bearer " + base64.urlsafe_b64encode(b"[" * 5_000).decode() + ".e30.e30",
        "Bearer "
        + base64.urlsafe_b64encode(b'{"alg":' + b"9" * 5_000 + b"}").decode()
        + ".e30.e30",
    ],
)
def test_a_malformed_header_is_refused(app: Client, header: str) -> None:
    app.get("/api/auth/check", headers={"Authorization": header}, status=401)


def test_the_scheme_is_matched_without_regard_to_case(app: Client, claims: dict[str, Any]) -> None:
    for scheme in ("bearer", "BEARER", "Bearer "):
        app.get("/api/auth/check", headers={"Authorization": f"{scheme} {sign(claims)}"})


def test_a_signature_is_valid_for_its_text_and_its_purpose(instance: Instance) -> None:
    tokens = Tokens(instance)
    signature = tokens.sign("reset", "1.2.3")

    assert tokens.has_signed("reset", "1.2.3", signature)
    assert len(signature) == 43
    assert set(signature) <= set(string.ascii_letters + string.digits + "-_")
    for purpose, text, given in (
        ("confirm", "1.2.3", signature),
        ("reset", "1.2.4", signature),
        ("reset", "1.2.3", signature[:-1]),
        ("reset", "1.2.3", ""),
        ("reset", "1.2.3", "é"),
    ):
        assert not tokens.has_signed(purpose, text, given)


@pytest.mark.parametrize(("secret", "valid"), [(SECRET, True), (OLDER, True), ("o" + OLDER, False)])
def test_all_secrets_verify_a_signature(instance: Instance, secret: str, valid: bool) -> None:
    before = open_instance({SECRETS.name: secret}, {}, {core.name: core})
    signature = Tokens(before).sign("reset", "1")
    before.close()

    assert Tokens(instance).has_signed("reset", "1", signature) is valid
    assert (Tokens(instance).sign("reset", "1") == signature) is (secret == SECRET)


def test_no_signature_is_a_token_and_no_token_a_signature(
    app: Client, instance: Instance, claims: dict[str, Any]
) -> None:
    tokens = Tokens(instance)
    signed, _, signature = sign(claims).rpartition(".")
    header, payload = signed.split(".")

    for purpose, text in (("", signed), (header, payload), (f"{header}.", payload), (signed, "")):
        assert not tokens.has_signed(purpose, text, signature)
        assert status_of(app, f"{signed}.{tokens.sign(purpose, text)}") == 401


@pytest.mark.parametrize(
    "secret",
    [
        "short",
        "x" * 31,
        "é" * 15,
        "x" * 64,
        "abab" * 16,
        "change-me-change-me-change-me-change-me",
        "please-CHANGE_THIS-before-you-go-to-production",
        "your-secret-key-of-thirty-two-characters",
        f"{SECRET} short",
    ],
)
def test_a_weak_or_sample_secret_stops_the_start_unprinted(secret: str) -> None:
    with pytest.raises(StartError, match=r"masthead\.auth\.secrets: expected secrets") as error:
        open_instance({SECRETS.name: secret}, {}, {core.name: core})

    assert secret not in str(error.value)


def test_on_postgresql_the_secrets_have_to_be_set() -> None:
    ini = {"masthead.database.url": "postgresql://nobody@nowhere/nothing"}
    instance = open_instance(ini, {}, {core.name: core})

    with pytest.raises(StartError, match=r"masthead\.auth\.secrets must be set"):
        Tokens(instance)
    instance.close()


@pytest.fixture
def embedded(tmp_path: Path) -> Any:
    """An instance on SQLite without a configured secret."""
    opened = open_instance({"masthead.data": str(tmp_path / "var")}, {}, {core.name: core})
    yield opened
    opened.close()


def test_on_sqlite_a_secret_is_made_in_a_file_for_its_owner_alone(embedded: Instance) -> None:
    make_secrets(embedded)

    file = secret_file(embedded)
    assert file.name == "auth.secret"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    tokens = Tokens(embedded)
    assert tokens.read(tokens.issue(1, "ada", 1)) is not None
    assert [each.name for each in file.parent.iterdir()] == ["auth.secret"]


def test_an_existing_secret_is_kept(embedded: Instance) -> None:
    make_secrets(embedded)
    token = Tokens(embedded).issue(1, "ada", 1)

    make_secrets(embedded)

    assert Tokens(embedded).read(token) is not None


def test_processes_that_create_the_secret_at_once_share_it(embedded: Instance) -> None:
    def make_and_read(_: int) -> str:
        make_secrets(embedded)
        return secret_file(embedded).read_text()

    with ThreadPoolExecutor(8) as threads:
        found = set(threads.map(make_and_read, range(64)))

    assert len(found) == 1
    assert len(found.pop().strip()) == 64


def test_no_file_is_made_where_secrets_are_set(instance: Instance) -> None:
    make_secrets(instance)

    assert not secret_file(instance).exists()


@pytest.mark.parametrize("content", [None, "", "short"])
def test_a_missing_or_weak_secret_file_is_named(embedded: Instance, content: str | None) -> None:
    if content is not None:
        secret_file(embedded).parent.mkdir()
        secret_file(embedded).write_text(content)

    with pytest.raises(StartError, match=r"auth\.secret"):
        Tokens(embedded).issue(1, "ada", 1)
