"""Latin letters and digits in ASCII, as slugs spell them and the search finds them."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import Final

from slugify import slugify

# Latin letters outside of ASCII that have no decomposition are in these blocks; and all digits.
_SPELLED = re.compile(
    "[\u00c0-\u02af\u1d00-\u1dbf\u1e00-\u1eff\u2c60-\u2c7f\ua720-\ua7ff\uab30-\uab6f]"
    r"|[^\D\x00-\x7f]"
)
BACKEND: Final = "text-unidecode"
"""The library of spellings. By default, slugify prefers another one wherever that is installed."""
_OWN = {"ə": "e", "Ə": "e", "ǝ": "e"}
"""The spelling of letters that slugify drops."""


def spell_in_ascii(text: str) -> str:
    """Return a text with ASCII instead of the Latin letters and the digits of other alphabets.

    ``ł`` becomes ``l``, ``æ`` becomes ``ae``. A letter without a usual spelling stays.
    """
    return text if text.isascii() else _SPELLED.sub(lambda found: _spell(found[0]), text)


@cache
def _spell(character: str) -> str:
    if character.isdecimal():
        return str(unicodedata.decimal(character))
    if not unicodedata.name(character, "").startswith("LATIN "):
        return character
    spelled: str = _OWN.get(character) or slugify(character, backend=BACKEND)
    return spelled if spelled.isalpha() and spelled.isascii() else character
