"""Texts of strangers in the place of tickets and of tokens of the provider."""

from __future__ import annotations

import json
from base64 import urlsafe_b64encode
from typing import Any

import pytest

from masthead.testing import Client

DEEP = "[" * 7_000


def compact(*parts: str) -> str:
    """Return parts of a token, encoded and joined, with a signature."""
    encoded = [urlsafe_b64encode(part.encode()).decode().rstrip("=") for part in parts]
    return ".".join([*encoded, "AAAA"])


@pytest.mark.parametrize(
    "header",
    ['{"alg": "dir", "enc": []}', '{"alg": "dir", "enc": "A256GCM", "crit": 1}', "7", DEEP],
    ids=["enc", "crit", "a number", "deep"],
)
def test_a_ticket_with_a_forged_header_is_refused(app: Client, header: str) -> None:
    ticket = f"{compact(header, '', 'a', 'b')}"

    app.post_json("/api/auth/oidc/token", {"ticket": ticket}, status=401)
    answer = app.get("/api/auth/oidc/login", {"link": ticket}, expect_errors=True)
    assert answer.status_int < 500


@pytest.mark.parametrize(
    ("header", "payload"),
    [
        ({"alg": "RS256", "crit": 5}, None),
        ({"alg": "RS256", "kid": []}, None),
        ({"alg": []}, None),
        ({"alg": "RS256"}, DEEP),
        ({"alg": "RS256"}, "7"),
    ],
    ids=["crit", "kid", "alg", "deep", "a number"],
)
def test_a_forged_logout_token_is_refused(
    app: Client, issuer: Any, header: Any, payload: str | None
) -> None:
    claims = json.dumps({"iss": issuer.url, "sub": "ada"}) if payload is None else payload
    text = compact(json.dumps(header), claims)

    app.post("/api/auth/oidc/backchannel-logout", {"logout_token": text}, status=400)
