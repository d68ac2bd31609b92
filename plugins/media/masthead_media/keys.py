"""The keys of images: made up here, and recognised among what anybody may ask for."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable
from datetime import datetime

STAFF, SUBMITTED = "images", "ycs-submissions"
"""What keys begin with: of what staff upload, and of what visitors do."""
PATH = "/api/images/"
RENDITIONS = "renditions"

_BYTES = 16
_KEY = re.compile(
    rf"(?:{STAFF}|{SUBMITTED})/[0-9]{{13}}-[0-9a-f]{{{2 * _BYTES}}}\.(?:jpg|png|webp|gif)"
)


def new_key(prefix: str, extension: str, now: datetime) -> str:
    """A key that nobody can guess, such as ``images/1772357400000-….jpg``."""
    milliseconds = int(now.timestamp() * 1000)
    return f"{prefix}/{milliseconds:013d}-{secrets.token_hex(_BYTES)}.{extension}"


def is_key(text: str) -> bool:
    """Whether a text has the form of our keys."""
    return _KEY.fullmatch(text) is not None


def path_of(key: str) -> str:
    """Where the API serves an image."""
    return PATH + key


def keys_in(addresses: Iterable[str], base_url: str) -> dict[str, str]:
    """The keys that addresses lead to, by address; those that lead elsewhere are left out.

    :param addresses: paths of the API, or absolute ones below ``base_url``.
    """
    found = {}
    for address in addresses:
        path = address.removeprefix(base_url).partition("?")[0]
        key = path.removeprefix(PATH)
        if path.startswith(PATH) and is_key(key):
            found[address] = key
    return found


def rendition_key(key: str, width: int) -> str:
    """Where an image of that width is stored."""
    return f"{renditions_of(key)}/{width}.{key.rpartition('.')[2]}"


def renditions_of(key: str) -> str:
    """What the keys of all its renditions begin with, before a slash."""
    return f"{RENDITIONS}/{key}"
