"""Several providers: each has its own options, redirect URI, keys and persons."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

import pytest
from joserfc import jwt
from joserfc.jwk import ECKey, Key, OKPKey, RSAKey

from masthead import Instance, utcnow
from masthead.testing import Client
from masthead_oidc.checks import key_trouble, provider_trouble, settings_trouble
from masthead_oidc.settings import PROVIDERS

EVENT = "http://schemas.openid.net/event/backchannel-logout"
TOKEN = "/api/auth/oidc/token"
PEM = RSAKey.generate_key(2048).as_pem(private=True)


@pytest.fixture(scope="session")
def second_issuer(one_issuer: Any) -> Iterator[Any]:
    server = type(one_issuer)()
    yield server
    server.close()


@pytest.fixture
def other(issuer: Any, second_issuer: Any) -> Any:  # noqa: ARG001 - forgets what is known
    second_issuer.restore()
    return second_issuer


@pytest.fixture
def key_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.getbasetemp() / "client.pem"
    file.write_bytes(PEM)
    return file


@pytest.fixture
def settings(settings: Mapping[str, str], other: Any, key_file: Path) -> Mapping[str, str]:
    return {
        **settings,
        "masthead.oidc.roles": "board=admin",
        "masthead.oidc.link_by_email": "true",
        "masthead.oidc.providers": f"""
            other: issuer={other.url} client_id=elsewhere client_key={key_file}
              create_users=true new_user_roles=editor
        """,
    }


@pytest.fixture
def elsewhere(app: Client, other: Any, browser: Any) -> Any:
    """A browser that logs in at the other provider."""
    return type(browser)(app, other, {"provider": "other"})


def test_each_provider_has_its_own_options(browser: Any, elsewhere: Any, app: Client) -> None:
    assert app.get("/api/auth/oidc").json["providers"] == ["default", "other"]
    app.get("/api/auth/oidc/login?provider=third", status=404)
    app.get("/api/auth/oidc/callback/third?state=a", status=404)

    claims = {"preferred_username": "ada", "groups": ["board"]}
    assert browser.log_in("ada", 403, **claims).json["code"] == "not_linked"
    user = elsewhere.log_in("ada", **claims).json["user"]

    assert (user["username"], user["roles"]) == ("ada", ["editor"])
    assert elsewhere.sent["client_id"] == "elsewhere"
    assert urlsplit(elsewhere.sent["redirect_uri"]).path == "/api/auth/oidc/callback/other"
    assert browser.log_in("ada", 403).json["code"] == "not_linked", "persons differ by provider"


def test_an_address_links_nobody_by_another_provider(
    elsewhere: Any, make_user: Any, browser: Any
) -> None:
    ada = make_user("ada", email="ada@example.org")
    claims = {"email": "ada@example.org", "email_verified": True}

    assert elsewhere.log_in("evil", 403, **claims).json["code"] == "not_creatable"
    assert browser.log_in("ada", **claims).json["user"]["id"] == ada.id


def test_an_address_shares_no_user_with_a_person_of_another_provider(
    elsewhere: Any, make_user: Any, browser: Any, app: Client, other: Any
) -> None:
    mallory = make_user("mallory", email="boss@example.org")
    link = {"userId": mallory.id, "subject": "evil", "issuer": other.url}
    app.as_role("admin").post_json("/api/staff/oidc/links", link)
    claims = {"email": "boss@example.org", "email_verified": True, "groups": ["board"]}

    assert browser.log_in("boss", 403, **claims).json["code"] == "already_linked"
    assert "admin" not in elsewhere.log_in("evil").json["user"]["roles"]


def test_a_provider_cannot_answer_for_another_one(
    browser: Any, elsewhere: Any, issuer: Any, other: Any, make_user: Any, app: Client
) -> None:
    user = make_user("boss", role="admin")
    link = {"userId": user.id, "subject": "boss"}
    app.as_role("admin").post_json("/api/staff/oidc/links", link)

    # The other provider leads a person who has chosen it to the first one (mix-up).
    sent = elsewhere.begin(provider="other")
    query = urlencode({"state": sent["state"], "code": "a code"})
    answer = app.get(f"/api/auth/oidc/callback?{query}", status=302)
    assert parse_qsl(urlsplit(answer.location).fragment) == [("error", "provider_error")]

    # It signs a token that names the issuer, the client or the keys of the first one.
    for claims, signer in (
        ({"iss": issuer.url}, None),
        ({"iss": issuer.url, "aud": "masthead"}, None),
        ({"aud": "masthead"}, None),
        ({}, issuer.key),
    ):
        other.signer = signer
        elsewhere.log_in("boss", 401, **claims)
    other.restore()
    elsewhere.begin(provider="other")
    assert elsewhere.come_back(iss=issuer.url) == {"error": "provider_error"}

    # Its logout tokens end nobody's login at the first one.
    app.authorization = ("Bearer", browser.log_in("boss", groups=["board"]).json["token"])
    now = int(utcnow().timestamp())
    claims = {"aud": "masthead", "iat": now, "exp": now + 60, "jti": "1", "sub": "boss"}
    for iss, aud, status in (
        (issuer.url, "masthead", 400),
        (other.url, "masthead", 400),
        ("https://evil.example", "masthead", 400),
        (other.url, "elsewhere", 200),
    ):
        text = other.sign({**claims, "events": {EVENT: {}}, "iss": iss, "aud": aud})
        path = "/api/auth/oidc/backchannel-logout"
        app.post(path, {"logout_token": text}, status=status)
    app.get("/api/auth/check")


def test_a_key_proves_the_client(elsewhere: Any, other: Any) -> None:
    elsewhere.log_in("ada", preferred_username="ada")

    [exchange] = (each for each in other.received if each.path == "/token")
    body = {name: values[0] for name, values in parse_qs(exchange.body.decode()).items()}
    public = RSAKey.import_key(RSAKey.import_key(PEM).as_pem(private=False))
    claims = jwt.decode(body["client_assertion"], public, ["RS256"]).claims
    assert body["client_assertion_type"].endswith(":client-assertion-type:jwt-bearer")
    assert (claims["iss"], claims["sub"]) == ("elsewhere", "elsewhere")
    assert claims["aud"] == f"{other.url}/token"
    assert 0 < claims["exp"] - utcnow().timestamp() <= 60
    assert body["client_id"] == "elsewhere"
    assert "authorization" not in exchange.headers
    elsewhere.log_in("ada")
    assertions = {each.body for each in other.received if each.path == "/token"}
    assert len(assertions) == 2, "each has an id of its own"


@pytest.mark.filterwarnings("ignore:EdDSA is deprecated")
@pytest.mark.parametrize(
    "key", [ECKey.generate_key("P-256"), OKPKey.generate_key("Ed25519"), RSAKey.generate_key()]
)
def test_keys_of_several_kinds_sign(elsewhere: Any, key_file: Path, key: Key) -> None:
    for content in (key.as_pem(private=True), json.dumps(key.as_dict(private=True)).encode()):
        key_file.write_bytes(content)
        elsewhere.log_in("ada", preferred_username="ada")


RSA, ED25519 = RSAKey.import_key(PEM), OKPKey.generate_key("Ed25519")


@pytest.mark.filterwarnings("ignore:EdDSA is deprecated")
@pytest.mark.parametrize(
    ("key", "members", "known", "algorithm"),
    [
        (RSA, {"alg": "PS256", "use": "sig", "key_ops": ["sign"]}, ["RS256"], "PS256"),
        (RSA, {}, ["PS256"], "RS256"),
        (ED25519, {}, None, "EdDSA"),
        (ED25519, {}, ["EdDSA", "ES256"], "EdDSA"),
        (ED25519, {}, ["EdDSA", "Ed25519"], "Ed25519"),
        (ED25519, {"alg": "EdDSA"}, ["Ed25519"], "EdDSA"),
        (ED25519, {"alg": "Ed25519"}, 5, "Ed25519"),
    ],
)
def test_a_key_signs_by_its_own_algorithm(
    elsewhere: Any, other: Any, key_file: Path, key: Key, members: Any, known: Any, algorithm: str
) -> None:
    key_file.write_text(json.dumps({**key.as_dict(private=True), **members}))
    other.metadata = {"token_endpoint_auth_signing_alg_values_supported": known}

    elsewhere.log_in("ada", preferred_username="ada")

    [exchange] = (each for each in other.received if each.path == "/token")
    [signed] = parse_qs(exchange.body.decode())["client_assertion"]
    token = jwt.decode(signed, type(key).import_key(key.as_dict(private=False)), [algorithm])
    assert token.header["alg"] == algorithm


@pytest.mark.parametrize(
    ("members", "reason"),
    [
        ({"alg": "HS256"}, "HS256"),
        ({"alg": "none"}, "none"),
        ({"alg": "RSA-OAEP"}, "RSA-OAEP"),
        ({"alg": "ES256"}, "requires 'EC' key"),
        ({"use": "enc"}, "'enc'"),
        ({"key_ops": ["verify"]}, "'sign'"),
    ],
)
def test_a_key_that_is_meant_for_something_else_is_refused(
    elsewhere: Any, instance: Instance, key_file: Path, members: Any, reason: str
) -> None:
    key_file.write_text(json.dumps({**RSA.as_dict(private=True), **members}))

    told = str(key_trouble(instance))
    assert f"the key in {key_file} can't sign: " in told
    assert reason in told
    elsewhere.log_in("ada", 503)


def test_a_logout_leads_to_the_provider_of_the_login(
    browser: Any, elsewhere: Any, other: Any, app: Client
) -> None:
    browser.begin()
    token = elsewhere.log_in("ada", preferred_username="ada").json["token"]
    app.authorization = ("Bearer", token)

    url = app.post_json("/api/auth/oidc/logout", {}).json["url"]

    assert url.startswith(f"{other.url}/end?")
    assert dict(parse_qsl(urlsplit(url).query))["client_id"] == "elsewhere"


def test_a_key_that_is_missing_ends_no_other_login(
    elsewhere: Any, browser: Any, key_file: Path
) -> None:
    key_file.unlink()

    elsewhere.log_in("ada", 503)

    assert browser.log_in("ada", 403).json["code"] == "not_linked"


def test_the_doctor_checks_all_providers(instance: Instance, other: Any, key_file: Path) -> None:
    assert (settings_trouble(instance), key_trouble(instance)) == (None, None)
    assert provider_trouble(instance) is None

    other.metadata = {"issuer": "https://third.example"}
    assert "names the issuer 'https://third.example'" in str(provider_trouble(instance))
    for content in (b"", b"{}", b"no key", RSAKey.import_key(PEM).as_pem(private=False)):
        key_file.write_bytes(content)
        assert str(key_file) in str(key_trouble(instance))
    key_file.unlink()
    assert "FileNotFoundError" in str(key_trouble(instance))


@pytest.mark.parametrize(
    "value",
    [
        "google",
        "google:",
        "google: issuer=https://a.example",
        "issuer=https://a.example client_id=1",
        "default: issuer=https://a.example client_id=1",
        "Google: issuer=https://a.example client_id=1",
        "a/b: issuer=https://a.example client_id=1",
        "google: issuer=http://a.example client_id=1",
        "google: issuer=https://a.example client_id=1 client_id=2",
        "google: issuer=https://a.example client_id=1 timeout=3",
        "google: issuer=https://a.example client_id=1 google: issuer=https://b.example client_id=2",
        "google: issuer=https://a.example client_id='1",
    ],
)
def test_wrong_providers_stop_the_start(value: str) -> None:
    with pytest.raises(ValueError, match="google: issuer="):
        PROVIDERS.parse(value)


def test_options_of_providers_may_have_blanks() -> None:
    roles = 'board=admin "All staff"=editor'
    options = f"issuer=https://a.example client_id=1 roles='{roles}'"
    text = f"a: {options} b: issuer=https://b.example client_id=2"
    found = PROVIDERS.parse(text)

    assert found["a"]["roles"] == roles
    assert list(found) == ["a", "b"]
    assert PROVIDERS.parse(" ") == {}


@pytest.mark.parametrize(
    ("written", "value"),
    [
        (r"ab\cd", r"ab\cd"),
        (r"'ab\cd'", r"ab\cd"),
        (r'"ab\"', "ab\\"),
        ("a#b=c", "a#b=c"),
        ('"it\'s"', "it's"),
        ("'say \"x\"'", 'say "x"'),
        ("\"it's\"'\"'", "it's\""),
    ],
)
def test_secrets_of_providers_may_have_any_character(written: str, value: str) -> None:
    found = PROVIDERS.parse(f"a: issuer=https://a.example client_id=1 client_secret={written}")

    assert found["a"]["client_secret"] == value


class TestWrongSettings:
    """Settings that contradict each other."""

    @pytest.fixture
    def instance_with(self, database: Any) -> Any:
        from masthead.core_plugin import plugin as core
        from masthead.instance import open_instance
        from masthead_oidc.plugin import plugin as oidc

        def open_with(**values: str) -> Instance:
            ini = {f"masthead.oidc.{name}": value for name, value in values.items()}
            ini["masthead.database.url"] = database.url.render_as_string(hide_password=False)
            available = {each.name: each for each in (core, oidc)}
            return open_instance(ini, {}, available, check=False)

        return open_with

    @pytest.mark.parametrize(
        ("values", "told"),
        [
            ({"issuer": "https://a.example"}, "needs masthead.oidc.client_id"),
            (
                {"providers": "a: issuer=https://a.example client_id=1 scopes=email"},
                "lacks openid, for the provider a",
            ),
            (
                {
                    "issuer": "https://a.example",
                    "client_id": "1",
                    "providers": "a: issuer=https://a.example client_id=2",
                },
                "two providers have the issuer https://a.example",
            ),
            (
                {
                    "issuer": "https://a.example",
                    "client_id": "1",
                    "client_secret": "2",
                    "client_key": "3",
                },
                "the provider default has both client_secret and client_key",
            ),
        ],
    )
    def test_they_stop_the_start(
        self, instance_with: Any, values: Mapping[str, str], told: str
    ) -> None:
        opened = instance_with(**values)
        assert told in str(settings_trouble(opened))
        opened.close()
