"""Fixtures: a provider that answers as a test tells it, and a browser that logs in there."""

from __future__ import annotations

import hmac
import json
import time
from base64 import urlsafe_b64encode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from joserfc import jwt
from joserfc.jwk import Key, KeySet, RSAKey

from masthead import Plugin
from masthead.testing import Client, HttpServer
from masthead_oidc.plugin import plugin as oidc
from masthead_oidc.provider import provider_at

SECRET = "a secret+with%20signs&more"
PAGE = "https://www.example.org/staff"
CALLBACK = "/api/auth/oidc/callback"


class Issuer(HttpServer):
    """A provider; the test chooses its claims and its signatures."""

    def __init__(self) -> None:
        self.key = new_key()
        super().__init__()
        self.restore()

    def restore(self) -> None:
        """Be honest again."""
        self.forget()
        self.claims: dict[str, Any] = {}
        self.header: dict[str, Any] = {"alg": "RS256"}
        self.signer: Key | None = None
        self.info: dict[str, Any] = {}
        self.metadata: dict[str, Any] = {}
        self.user_info: dict[str, Any] | None = None

    def answer(self, received: Any) -> Any:
        """Answer as the endpoints of a provider."""
        from masthead.testing.http_server import Reply

        answers = {
            "/.well-known/openid-configuration": self._configuration,
            "/jwks": lambda: KeySet([self.key]).as_dict(private=False),
            "/token": self._tokens,
            "/userinfo": lambda: self.user_info,
        }
        body = json.dumps(answers[received.path]()).encode()
        return Reply(200, {"Content-Type": "application/json"}, body)

    def new_key(self) -> Key:
        """Return another key for signatures."""
        return new_key()

    def sign(self, claims: Mapping[str, Any]) -> str:
        """Return a token of the provider; claims that are None are left out."""
        claims = {name: value for name, value in claims.items() if value is not None}
        header = {"kid": self.key.kid, **self.header}
        if header["alg"] in ("none", "HS256"):
            return forged(header, claims, self.key.as_pem(private=False))
        return jwt.encode(header, claims, self.signer or self.key, [header["alg"]])

    def _configuration(self) -> dict[str, Any]:
        userinfo = {} if self.user_info is None else {"userinfo_endpoint": f"{self.url}/userinfo"}
        return {
            "issuer": self.url,
            "authorization_endpoint": f"{self.url}/authorize",
            "token_endpoint": f"{self.url}/token",
            "jwks_uri": f"{self.url}/jwks",
            "end_session_endpoint": f"{self.url}/end",
            **userinfo,
            **self.metadata,
        }

    def _tokens(self) -> dict[str, Any]:
        return {
            "access_token": "an access token",
            "token_type": "Bearer",
            "id_token": self.sign(self.claims),
        }


@dataclass
class Browser:
    """A person's browser, with the cookies of the app."""

    app: Client
    issuer: Issuer
    query: dict[str, str] = field(default_factory=dict)
    """The parameters of each login."""

    sent: dict[str, str] = field(default_factory=dict)
    """The parameters with which Masthead leads the browser to the provider."""

    returned_to: str = ""
    """The address to which Masthead has led the browser back."""

    @property
    def cookie(self) -> str:
        """The last cookie of an attempt."""
        *_, last = self.app.cookies.values()
        return str(last)

    def begin(self, **query: str) -> dict[str, str]:
        """Open the address of the login, and return the parameters for the provider."""
        return self.open(f"/api/auth/oidc/login?{urlencode(query)}")

    def open(self, address: str) -> dict[str, str]:
        """Open an address that leads to the provider, and return the parameters for it."""
        opened = urlsplit(address)
        answer = self.app.get(f"{opened.path}?{opened.query}", status=302)
        parts = urlsplit(answer.location)
        assert f"{parts.scheme}://{parts.netloc}{parts.path}" == f"{self.issuer.url}/authorize"
        self.sent = dict(parse_qsl(parts.query))
        return self.sent

    def come_back(self, **query: str | None) -> dict[str, str]:
        """Return from the provider, and return the parameters in the fragment."""
        sent = {"state": self.sent.get("state", ""), "code": "a code", **query}
        sent = {name: value for name, value in sent.items() if value is not None}
        path = urlsplit(self.sent.get("redirect_uri", CALLBACK)).path
        answer = self.app.get(f"{path}?{urlencode(sent)}", status=302)
        self.returned_to = answer.location.partition("#")[0]
        return dict(parse_qsl(urlsplit(answer.location).fragment))

    def prepare(self, subject: str = "ada", **claims: Any) -> str:
        """Let the provider tell of a person, and return the ticket."""
        return self.answer(self.begin(**self.query), subject, **claims)

    def answer(self, sent: Mapping[str, str], subject: str, **claims: Any) -> str:
        """Let the provider tell of a person after it was asked, and return the ticket."""
        now = int(time.time())
        self.issuer.claims = {
            "iss": self.issuer.url,
            "aud": sent["client_id"],
            "sub": subject,
            "nonce": sent["nonce"],
            "iat": now,
            "exp": now + 300,
            "email_verified": False,
            **claims,
        }
        return self.come_back()["ticket"]

    def log_in(self, subject: str = "ada", status: int = 200, **claims: Any) -> Any:
        """Log in at the provider, and return the answer to the ticket."""
        ticket = self.prepare(subject, **claims)
        return self.app.post_json("/api/auth/oidc/token", {"ticket": ticket}, status=status)


def new_key() -> Key:
    """Return a key for signatures."""
    key = RSAKey.generate_key(2048, auto_kid=True)
    key.ensure_kid()
    return key


def forged(header: Mapping[str, Any], claims: Mapping[str, Any], secret: bytes) -> str:
    """Return a token that libraries refuse to sign: with no key, or with a public key as secret."""
    parts = (urlsafe_b64encode(json.dumps(part).encode()) for part in (header, claims))
    text = b".".join(part.rstrip(b"=") for part in parts)
    signature = hmac.digest(secret, text, "sha256") if header["alg"] == "HS256" else b""
    return f"{text.decode()}.{urlsafe_b64encode(signature).decode().rstrip('=')}"


@pytest.fixture(scope="session")
def one_issuer() -> Iterator[Issuer]:
    server = Issuer()
    yield server
    server.close()


@pytest.fixture
def issuer(one_issuer: Issuer) -> Issuer:
    one_issuer.restore()
    provider_at.cache_clear()
    return one_issuer


@pytest.fixture
def plugins() -> list[Plugin]:
    return [oidc]


@pytest.fixture
def settings(issuer: Issuer) -> Mapping[str, str]:
    return {
        "masthead.oidc.issuer": issuer.url,
        "masthead.oidc.client_id": "masthead",
        "masthead.oidc.client_secret": SECRET,
        "masthead.oidc.return_addresses": f"{PAGE} https://other.example.org",
        "masthead.oidc.timeout": "1",
    }


@pytest.fixture
def browser(app: Client, issuer: Issuer) -> Browser:
    return Browser(app, issuer)
