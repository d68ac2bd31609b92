"""Basic authentication (RFC 7617) of providers that sign nothing."""

from __future__ import annotations

import base64
import binascii
import hmac
from collections.abc import Mapping


# All providers are asked by the same arguments.
def is_authentic(headers: Mapping[str, str], body: bytes, credentials: str) -> bool:  # noqa: ARG001
    """Whether a request has our user and password.

    :param credentials: ``user:password``.
    """
    scheme, _, encoded = headers.get("Authorization", "").partition(" ")
    try:
        given = base64.b64decode(encoded.strip().encode(), validate=True)
    except (binascii.Error, ValueError):
        return False
    return scheme.lower() == "basic" and hmac.compare_digest(given, credentials.encode())
