"""Codes: those of authenticator apps (RFC 6238), recovery codes, and setup tokens."""

from __future__ import annotations

import base64
import hashlib
import re
import secrets

import pyotp

_RECOVERY_CODES = 10
_RECOVERY = re.compile(r"[A-Z2-7]{16}")
_STEP = 30
"""The seconds of each code."""
_TOLERANCE = 1
"""The number of steps by which the clock of the app may differ."""


def new_secret() -> str:
    """Return a new secret of an app."""
    return pyotp.random_base32()


def address_of(secret: str, username: str, issuer: str) -> str:
    """Return the address that an app reads from a QR code."""
    return pyotp.TOTP(secret).provisioning_uri(name=username, issuer_name=issuer)


def matching_step(secret: str, code: str, last_step: int | None, now: float) -> int | None:
    """Return the step of a correct code that isn't used up; None for any other text.

    :param last_step: the step of the last code that was used.
    :param now: the time in seconds.
    """
    app, step = pyotp.TOTP(secret, interval=_STEP), int(now) // _STEP
    digits = "".join(code.split())
    for each in range(step - _TOLERANCE, step + _TOLERANCE + 1):
        is_new = last_step is None or each > last_step
        if is_new and pyotp.utils.strings_equal(app.generate_otp(each), digits):
            return each
    return None


def new_recovery_codes() -> list[str]:
    """Return new recovery codes of 80 bits, such as ``QWER-TYUI-OPAS-DFGH``."""
    texts = (base64.b32encode(secrets.token_bytes(10)).decode() for _ in range(_RECOVERY_CODES))
    return ["-".join(re.findall("....", text)) for text in texts]


def recovery_digest(code: str) -> str | None:
    """Return the digest of a text in the form of a recovery code; None for any other text."""
    text = re.sub(r"[\s-]", "", code).upper()
    return digest_of(text) if _RECOVERY.fullmatch(text) else None


def digest_of(text: str) -> str:
    """Return the SHA-256 digest of a text that can't be guessed."""
    return hashlib.sha256(text.encode()).hexdigest()
