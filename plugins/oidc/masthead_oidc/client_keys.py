"""The private keys by which Masthead proves to be a client (private_key_jwt)."""

from __future__ import annotations

import json
import secrets
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from masthead import utcnow
from masthead_oidc.registrations import Registration

if TYPE_CHECKING:
    from joserfc.jwk import Key

_ASSERTION = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
_LIFETIME = timedelta(minutes=1)
_ALGORITHMS = {
    "RSA": "RS256",
    "P-256": "ES256",
    "P-384": "ES384",
    "P-521": "ES512",
    "Ed25519": "Ed25519",
}
"""The algorithm for each kind of key, or its curve."""


def client_assertion(registration: Registration, audience: str) -> dict[str, str]:
    """Return the fields of a token request that prove the client (OpenID Connect Core section 9).

    :param audience: the token endpoint.
    :raises ValueError: if the file of the key can't be used.
    """
    from joserfc import jwt

    key = read_client_key(registration.client_key)
    algorithm = _algorithm(key)
    now = utcnow()
    claims = {
        "iss": registration.client_id,
        "sub": registration.client_id,
        "aud": audience,
        "jti": secrets.token_urlsafe(16),
        "iat": int(now.timestamp()),
        "exp": int((now + _LIFETIME).timestamp()),
    }
    header = {"alg": algorithm, "kid": key.thumbprint() if key.kid is None else key.kid}
    signed = jwt.encode(header, claims, key, [algorithm])
    return {"client_assertion_type": _ASSERTION, "client_assertion": signed}


def read_client_key(path: str) -> Key:
    """Return the private key in a file.

    :raises ValueError: if there is none that can sign.
    """
    from joserfc.errors import JoseError
    from joserfc.jwk import ECKey, JWKRegistry, OKPKey, RSAKey

    try:
        content = Path(path).read_bytes()
        if content.lstrip().startswith(b"{"):
            key: Key = JWKRegistry.import_key(json.loads(content))
        else:
            key = _first_of((RSAKey, ECKey, OKPKey), content)
        _algorithm(key)
        is_private = key.is_private
    except (OSError, JoseError, ValueError, TypeError, LookupError) as error:
        raise ValueError(f"{path} has no private key: {type(error).__name__}") from None
    if not is_private:
        raise ValueError(f"{path} has a public key, and no private one")
    return key


def _first_of(kinds: tuple[type[Key], ...], content: bytes) -> Key:
    from joserfc.errors import JoseError

    for kind in kinds:
        try:
            return kind.import_key(content)
        except (JoseError, ValueError, TypeError):
            continue
    raise ValueError("unknown kind of key")


def _algorithm(key: Key) -> str:
    """Return the algorithm of a key.

    :raises LookupError: for a kind of key that doesn't sign.
    """
    return _ALGORITHMS[getattr(key, "curve_name", key.key_type)]
