"""Passwords: sealed as ``argon2id(sha256(password))``, so that a leaked table can't be searched."""

from __future__ import annotations

import hashlib
import hmac
import os
import re
import threading

from argon2 import PasswordHasher, Type
from argon2.exceptions import InvalidHashError, VerificationError, VerifyMismatchError

LEAST, MOST = 8, 1_024
"""How many characters a password has, judged where it is set."""

_KIBIBYTES = 19 * 1024
_hasher = PasswordHasher(time_cost=2, memory_cost=_KIBIBYTES, parallelism=1, type=Type.ID)
# Each hashing takes 19 MiB and a core; more at once would only be slower.
_slots = threading.BoundedSemaphore(os.cpu_count() or 1)
_DIGEST = re.compile(r"[0-9a-fA-F]{64}\Z")

UNKNOWN = f"$argon2id$v=19$m={_KIBIBYTES},t=2,p=1${'A' * 22}${'A' * 43}"
"""The seal of no password: verifying against it costs what a real one costs, and fails."""


def hash_password(password: str) -> str:
    """What is stored for a password; takes about 40 ms of a core."""
    return hash_digest(_digest(password))


def hash_digest(digest: str) -> str:
    """What is stored for a password of which only the hex SHA-256 digest is known."""
    with _slots:
        return _hasher.hash(digest.lower())


def verify(stored: str, password: str) -> bool:
    """Whether a password is the stored one, sealed or a bare hex SHA-256 digest.

    Every call costs one hashing, also for what is no seal, so that time tells nothing apart.
    """
    digest = _digest(password)
    if is_legacy_digest(stored):
        _verify(UNKNOWN, digest)
        return hmac.compare_digest(stored.lower(), digest)
    return _verify(stored, digest)


def is_legacy_digest(stored: str) -> bool:
    """Whether what is stored is a hex SHA-256 digest that nothing seals."""
    return _DIGEST.match(stored) is not None


def needs_sealing(stored: str) -> bool:
    """Whether what is stored is a bare digest or a seal of other strength than today's."""
    return is_legacy_digest(stored) or _hasher.check_needs_rehash(stored)


def _verify(hashed: str, digest: str) -> bool:
    with _slots:
        try:
            return _hasher.verify(hashed, digest)
        except VerifyMismatchError:
            return False
        except (VerificationError, InvalidHashError):
            pass
    # What is no seal, as of a user who was imported, is found out at once, which must not show.
    return hashed != UNKNOWN and _verify(UNKNOWN, digest)


def _digest(password: str) -> str:
    return hashlib.sha256(password.encode()).hexdigest()
