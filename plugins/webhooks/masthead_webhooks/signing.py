"""Secrets, and the signatures of Standard Webhooks (https://www.standardwebhooks.com)."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from collections.abc import Sequence

_PREFIX = "whsec_"


def new_secret() -> str:
    """Return a new random secret."""
    return _PREFIX + base64.b64encode(secrets.token_bytes(32)).decode()


def signature_header(valid: Sequence[str], message_id: str, timestamp: int, payload: bytes) -> str:
    """Return the header ``webhook-signature``, with one signature for each valid secret."""
    signed = f"{message_id}.{timestamp}.".encode() + payload
    return " ".join(f"v1,{_sign(secret, signed)}" for secret in valid)


def _sign(secret: str, signed: bytes) -> str:
    key = base64.b64decode(secret.removeprefix(_PREFIX))
    return base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
