"""Encrypted values (RFC 7516), whose keys are derived from the secrets that sign tokens."""

from __future__ import annotations

import hashlib
import json
from base64 import urlsafe_b64encode
from datetime import timedelta
from typing import Any

from masthead.auth.tokens import derived_keys
from masthead.db import utcnow
from masthead.instance import Instance

_ALGORITHMS = ("dir", "A256GCM")


def seal(instance: Instance, purpose: str, value: Any, lifetime: timedelta | None = None) -> str:
    """Return a value as encrypted text that nobody else can read, change or make.

    :param purpose: the use of the text, such as ``oidc.ticket``; it is valid for no other one.
    :param value: a value that JSON can express.
    :param lifetime: the time for which it is valid; None without end.
    :raises StartError: where no secret can be used.
    """
    from joserfc import jwe
    from joserfc.jwk import OctKey

    key = derived_keys(instance, purpose)[0]
    content = {"value": value}
    if lifetime is not None:
        content["exp"] = (utcnow() + lifetime).timestamp()
    text = json.dumps(content)
    return jwe.encrypt_compact(_header(key), text, OctKey.import_key(key), _ALGORITHMS)


def unseal(instance: Instance, purpose: str, text: str) -> Any:
    """Return the value in a text that :func:`seal` has made.

    :returns: None if the text is forged or expired, has another purpose, or was encrypted with a
        secret that isn't known any more.
    :raises StartError: where no secret can be used.
    """
    from joserfc import jwe
    from joserfc.errors import JoseError
    from joserfc.jwk import OctKey

    for key in derived_keys(instance, purpose):
        try:
            opened = jwe.decrypt_compact(text, OctKey.import_key(key), _ALGORITHMS)
        # A forged header may have values of any type, nested at any depth.
        except (JoseError, ValueError, TypeError, RecursionError):
            continue
        content: dict[str, Any] = json.loads(opened.plaintext or b"{}")
        expired = "exp" in content and content["exp"] <= utcnow().timestamp()
        return None if expired else content.get("value")
    return None


def seal_prefixes(instance: Instance, purpose: str) -> tuple[str, ...]:
    """Return the beginnings of the texts for a purpose: of new ones, then of former secrets.

    :raises StartError: where no secret can be used.
    """
    return tuple(_prefix(key) for key in derived_keys(instance, purpose))


def _header(key: bytes) -> dict[str, str]:
    # The id of the key lets a query find the values of a former secret.
    return {"alg": "dir", "enc": "A256GCM", "kid": hashlib.sha256(b"id\0" + key).hexdigest()[:16]}


def _prefix(key: bytes) -> str:
    header = json.dumps(_header(key), separators=(",", ":")).encode()
    return urlsafe_b64encode(header).decode().rstrip("=") + "."
