"""The keys of images in the storage, and how they map to addresses of the API."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable
from datetime import datetime

from masthead import Matching

STAFF, SUBMITTED = "images", "ycs-submissions"
"""The prefixes of keys: of images that staff upload, and of images that visitors upload."""
PATH = "/api/images/"
RENDITIONS = "renditions"

_RANDOM_BYTES = 16
_PATTERN = (
    rf"(?:{STAFF}|{SUBMITTED})/[0-9]{{13}}-[0-9a-f]{{{2 * _RANDOM_BYTES}}}\.(?:jpg|png|webp|gif)"
)
_KEY = re.compile(_PATTERN)
KEY_TYPE = Matching(_PATTERN)
"""The field type of keys."""


def new_key(prefix: str, extension: str, now: datetime) -> str:
    """Return a key that can't be guessed, such as ``images/1772357400000-….jpg``."""
    milliseconds = int(now.timestamp() * 1000)
    return f"{prefix}/{milliseconds:013d}-{secrets.token_hex(_RANDOM_BYTES)}.{extension}"


def is_key(text: str) -> bool:
    """Whether a text has the form of an image's key."""
    return _KEY.fullmatch(text) is not None


def image_path(key: str) -> str:
    """Return the path at which the API serves an image."""
    return PATH + key


def keys_by_address(addresses: Iterable[str], base_url: str) -> dict[str, str]:
    """Map addresses to the keys of the images they lead to, leaving out all other addresses.

    :param addresses: paths of the API, or absolute addresses below ``base_url``.
    """
    found = {}
    for address in addresses:
        path = address.removeprefix(base_url).partition("?")[0]
        key = path.removeprefix(PATH)
        if path.startswith(PATH) and is_key(key):
            found[address] = key
    return found


def rendition_key(key: str, width: int) -> str:
    """Return the key of an image's rendition in a width."""
    return f"{rendition_prefix(key)}/{width}.{key.rpartition('.')[2]}"


def rendition_prefix(key: str) -> str:
    """Return the prefix of the keys of all renditions of an image, without the last slash."""
    return f"{RENDITIONS}/{key}"
