"""Values that a browser keeps but can neither read nor change: encrypted tokens (RFC 7516)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from masthead import Instance, derived_keys, utcnow

_HEADER = {"alg": "dir", "enc": "A256GCM"}
_ALGORITHMS = tuple(_HEADER.values())


def seal(instance: Instance, purpose: str, values: Mapping[str, Any], lifetime: timedelta) -> str:
    """Return values as a token that is valid for some time, and for one purpose."""
    from joserfc import jwe
    from joserfc.jwk import OctKey

    text = json.dumps({**values, "exp": (utcnow() + lifetime).timestamp()})
    key = OctKey.import_key(derived_keys(instance, purpose)[0])
    return jwe.encrypt_compact(_HEADER, text, key, _ALGORITHMS)


def unseal(instance: Instance, purpose: str, token: str) -> dict[str, Any] | None:
    """Return the values of a token; None if it is forged, expired or has another purpose."""
    from joserfc import jwe
    from joserfc.errors import JoseError
    from joserfc.jwk import OctKey

    for key in derived_keys(instance, purpose):
        try:
            opened = jwe.decrypt_compact(token, OctKey.import_key(key), _ALGORITHMS)
        except (JoseError, ValueError):
            continue
        values: dict[str, Any] = json.loads(opened.plaintext or b"{}")
        return values if is_future(values.pop("exp", 0)) else None
    return None


def is_future(timestamp: float) -> bool:
    """Whether a time is not over yet."""
    return datetime.fromtimestamp(timestamp, utcnow().tzinfo) > utcnow()
