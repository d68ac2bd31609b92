"""The text of API tokens: a prefix, random characters and a checksum.

The prefix and the checksum let secret scanners find a token without false alarms.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import string
import zlib

PREFIX = "mst_"
_ALPHABET = string.digits + string.ascii_uppercase + string.ascii_lowercase
_RANDOM = 30
"""The number of random characters, about 178 bits."""
_CHECKSUM = 6
"""The number of characters of the CRC32 of the random ones."""
_FORM = re.compile(rf"{PREFIX}([0-9A-Za-z]{{{_RANDOM}}})([0-9A-Za-z]{{{_CHECKSUM}}})")


def new_token() -> str:
    """Return a new token."""
    text = "".join(secrets.choice(_ALPHABET) for _ in range(_RANDOM))
    return f"{PREFIX}{text}{_checksum(text)}"


def is_token(text: str) -> bool:
    """Whether a text has the form of a token with the right checksum."""
    found = _FORM.fullmatch(text)
    return found is not None and _checksum(found[1]) == found[2]


def digest_of(token: str) -> str:
    """Return the digest by which a token is found."""
    return hashlib.sha256(token.encode()).hexdigest()


def _checksum(text: str) -> str:
    number, found = zlib.crc32(text.encode()), ""
    for _ in range(_CHECKSUM):
        number, digit = divmod(number, len(_ALPHABET))
        found = _ALPHABET[digit] + found
    return found
