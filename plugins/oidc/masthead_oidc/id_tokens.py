"""The checks of ID tokens and logout tokens."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from masthead import Unauthenticated, utcnow
from masthead_oidc.algorithms import ALGORITHMS
from masthead_oidc.provider import provider_of
from masthead_oidc.registrations import Registration, Registrations

if TYPE_CHECKING:
    from joserfc.jwt import Token

logger = logging.getLogger(__name__)

_LEEWAY = 60
"""The seconds by which the clock of the provider may differ."""
_OLDEST = 600
"""The maximum age of a logout token in seconds."""
_LOGOUT_EVENT = "http://schemas.openid.net/event/backchannel-logout"
_LONGEST = 200
"""The maximum length of a subject; the specification allows 255, and no provider needs them."""


def read_id_token(
    registration: Registration, tokens: Mapping[str, Any], nonce: str
) -> Mapping[str, Any]:
    """Return the claims of the ID token in an answer of the token endpoint.

    It is checked as OpenID Connect Core section 3.1.3.7 requires.

    :raises Unauthenticated: if it is forged, expired, or meant for another client or attempt.
    :raises Busy: if the keys of the provider can't be read.
    """
    from authlib.oidc.core import CodeIDToken

    token = _verified(registration, str(tokens.get("id_token", "")))
    claims = CodeIDToken(
        token.claims,
        token.header,
        options=_expected(registration),
        params={
            "nonce": nonce,
            "client_id": registration.client_id,
            "access_token": tokens.get("access_token"),
        },
    )
    _validate(claims)
    if not is_subject(claims["sub"]):
        raise _refusal("the subject is no short text")
    return dict(claims)


def find_issuer(known: Registrations, text: str) -> Registration:
    """Return the registration at the issuer that a token names, before its signature is checked.

    :raises Unauthenticated: if it names no issuer of the settings.
    """
    from joserfc import jws
    from joserfc.errors import JoseError

    try:
        claims = json.loads(jws.extract_compact(text.encode()).payload)
    except (JoseError, ValueError, RecursionError):
        claims = None
    found = known.of_issuer(claims.get("iss")) if isinstance(claims, dict) else None
    if found is None:
        raise _refusal("it names no issuer of the settings")
    return found


def read_logout_token(registration: Registration, text: str) -> Mapping[str, Any]:
    """Return the claims of a logout token (OpenID Connect Back-Channel Logout section 2.6).

    :raises Unauthenticated: if it isn't valid.
    :raises Busy: if the keys of the provider can't be read.
    """
    from authlib.oauth2.claims import JWTClaims

    token = _verified(registration, text)
    issued = {"iat": {"essential": True}, "jti": {"essential": True}}
    claims = JWTClaims(token.claims, token.header, options={**_expected(registration), **issued})
    _validate(claims)
    events = claims.get("events")
    if not isinstance(events, dict) or _LOGOUT_EVENT not in events or "nonce" in claims:
        raise _refusal("it isn't a logout token")
    if claims["iat"] < utcnow().timestamp() - _OLDEST:
        raise _refusal("it is old")
    return dict(claims)


def is_subject(value: Any) -> bool:
    """Whether a claim can be the name of a person or a session at the provider."""
    return isinstance(value, str) and 0 < len(value) <= _LONGEST and value.isprintable()


def _expected(registration: Registration) -> dict[str, Any]:
    return {
        "iss": {"essential": True, "value": registration.issuer},
        "aud": {"essential": True, "value": registration.client_id},
    }


def _verified(registration: Registration, text: str) -> Token:
    """Return a token whose signature is that of the provider.

    :raises Unauthenticated: for any other one.
    """
    from joserfc import jwt
    from joserfc.errors import InvalidKeyIdError, JoseError

    provider = provider_of(registration)
    try:
        try:
            return jwt.decode(text, provider.keys(), ALGORITHMS)
        except InvalidKeyIdError:
            return jwt.decode(text, provider.keys(again=True), ALGORITHMS)
    # A forged header may have values of any type, nested at any depth.
    except (JoseError, ValueError, TypeError, RecursionError) as error:
        raise _refusal(type(error).__name__) from None


def _validate(claims: Any) -> None:
    from joserfc.errors import JoseError

    try:
        claims.validate(int(utcnow().timestamp()), _LEEWAY)
    except (JoseError, ValueError, TypeError) as error:
        raise _refusal(str(error)) from None


def _refusal(reason: str) -> Unauthenticated:
    logger.warning("A token of the provider of single sign-on is refused: %s", reason)
    return Unauthenticated("The answer of the provider isn't valid")
