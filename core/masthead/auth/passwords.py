"""Password hashes: ``argon2id(sha256(password))``, which a leaked table can't be searched for."""

from __future__ import annotations

import hashlib
import hmac
import os
import re
import threading

from argon2 import PasswordHasher, Type
from argon2.exceptions import InvalidHashError, VerificationError, VerifyMismatchError

MIN_LENGTH, MAX_LENGTH = 8, 1_024
"""The bounds on a new password, in characters."""

_KIBIBYTES = 19 * 1024
_hasher = PasswordHasher(time_cost=2, memory_cost=_KIBIBYTES, parallelism=1, type=Type.ID)
# Each hashing takes 19 MiB and a core; more at once would only be slower.
_slots = threading.BoundedSemaphore(os.cpu_count() or 1)
_DIGEST = re.compile(r"[0-9a-fA-F]{64}\Z")

DUMMY_HASH = f"$argon2id$v=19$m={_KIBIBYTES},t=2,p=1${'A' * 22}${'A' * 43}"
"""A hash that no password matches: verifying against it fails and takes as long as a real one."""


def hash_password(password: str) -> str:
    """Return the hash to store for a password; takes about 40 ms of a core."""
    return hash_digest(_digest(password))


def hash_digest(digest: str) -> str:
    """Return the hash to store for a password, given its hex SHA-256 digest."""
    with _slots:
        return _hasher.hash(digest.lower())


def verify(stored: str, password: str) -> bool:
    """Whether a password matches the stored hash, which may be a bare hex SHA-256 digest.

    Every call costs one hashing, even where the stored value is no hash at all, so that the time
    reveals nothing.
    """
    digest = _digest(password)
    if is_legacy_digest(stored):
        _verify(DUMMY_HASH, digest)
        return hmac.compare_digest(stored.lower(), digest)
    return _verify(stored, digest)


def is_legacy_digest(stored: str) -> bool:
    """Whether a stored value is a bare hex SHA-256 digest."""
    return _DIGEST.match(stored) is not None


def needs_rehash(stored: str) -> bool:
    """Whether a stored value is a bare digest or a hash with other parameters than today's."""
    return is_legacy_digest(stored) or _hasher.check_needs_rehash(stored)


def _verify(hashed: str, digest: str) -> bool:
    with _slots:
        try:
            return _hasher.verify(hashed, digest)
        except VerifyMismatchError:
            return False
        except (VerificationError, InvalidHashError):
            pass
    # A value that is no hash, as that of an imported user, fails at once, which must not show.
    return hashed != DUMMY_HASH and _verify(DUMMY_HASH, digest)


def _digest(password: str) -> str:
    return hashlib.sha256(password.encode()).hexdigest()
