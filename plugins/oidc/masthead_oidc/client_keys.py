"""The private keys by which Masthead proves to be a client (private_key_jwt)."""

from __future__ import annotations

import json
import secrets
from collections.abc import Collection, Mapping
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from masthead import utcnow
from masthead_oidc.algorithms import ALGORITHMS, OF_KINDS
from masthead_oidc.registrations import Registration

if TYPE_CHECKING:
    from joserfc.jwk import Key

_ASSERTION = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
_LIFETIME = timedelta(minutes=1)


def client_assertion(registration: Registration, metadata: Mapping[str, Any]) -> dict[str, str]:
    """Return the fields of a token request that prove the client (OpenID Connect Core section 9).

    :param metadata: those of the provider.
    :raises ValueError: if the file of the key can't be used.
    """
    key = read_client_key(registration.client_key)
    now = utcnow()
    claims = {
        "iss": registration.client_id,
        "sub": registration.client_id,
        "aud": metadata["token_endpoint"],
        "jti": secrets.token_urlsafe(16),
        "iat": int(now.timestamp()),
        "exp": int((now + _LIFETIME).timestamp()),
    }
    known = metadata.get("token_endpoint_auth_signing_alg_values_supported")
    signed = _sign(key, claims, known if isinstance(known, list) else ())
    return {"client_assertion_type": _ASSERTION, "client_assertion": signed}


def read_client_key(path: str) -> Key:
    """Return the private key in a file.

    :raises ValueError: if there is none that can sign.
    """
    from joserfc.errors import JoseError

    try:
        key = _parse(Path(path).read_bytes())
    except (OSError, JoseError, ValueError, TypeError, LookupError) as error:
        raise ValueError(f"{path} has no private key: {type(error).__name__}") from None
    if not key.is_private:
        raise ValueError(f"{path} has a public key, and no private one")
    try:
        # A JWK may say that it is meant for something else.
        _sign(key, {}, ())
    except (JoseError, ValueError, TypeError) as error:
        raise ValueError(f"the key in {path} can't sign: {error}") from None
    return key


def _parse(content: bytes) -> Key:
    from joserfc.jwk import ECKey, JWKRegistry, OKPKey, RSAKey

    if content.lstrip().startswith(b"{"):
        return JWKRegistry.import_key(json.loads(content))
    return _first_of((RSAKey, ECKey, OKPKey), content)


def _first_of(kinds: tuple[type[Key], ...], content: bytes) -> Key:
    from joserfc.errors import JoseError

    for kind in kinds:
        try:
            return kind.import_key(content)
        except (JoseError, ValueError, TypeError):
            continue
    raise ValueError("unknown kind of key")


def _sign(key: Key, claims: dict[str, Any], known: Collection[str]) -> str:
    """Return a signed token.

    :param known: the algorithms that the provider names; none if it names none.
    """
    from joserfc import jwt

    algorithm = _algorithm(key, known)
    header = {"alg": algorithm, "kid": key.thumbprint() if key.kid is None else key.kid}
    return jwt.encode(header, claims, key, [algorithm])


def _algorithm(key: Key, known: Collection[str]) -> str:
    """Return the algorithm of a key: that of the JWK, or else that of the kind of key.

    :raises ValueError: for an algorithm or a kind of key that doesn't sign.
    """
    kind = getattr(key, "curve_name", key.key_type)
    found = key.alg or OF_KINDS.get(kind, kind)
    if found not in ALGORITHMS:
        raise ValueError(f"{found} is no algorithm or kind of key for signatures")
    # Few providers know the newer name of the same algorithm (RFC 9864).
    return kind if not key.alg and kind == "Ed25519" and kind in known else found
