"""The field type of the tags of languages, and the direction of their scripts."""

from __future__ import annotations

import re
from typing import Any

from sqlalchemy import Text

from masthead.errors import ProblemCode, WrongValue
from masthead.schemas.field_types import Choice, FieldType, Str

_TAG = re.compile(
    r"(?P<language>[a-z]{2,3})(?:-(?P<script>[a-z]{4}))?(?:-(?P<region>[a-z]{2}|\d{3}))?"
    r"(?:-[a-z\d]{1,8})*",
    re.ASCII | re.IGNORECASE,
)
LANG_HELP = "The tag of its language; null means that of the organisation."
_LONGEST = 35
_SCRIPT_LENGTH = 4
LEFT_TO_RIGHT, RIGHT_TO_LEFT = "ltr", "rtl"
DIRECTION = Choice(LEFT_TO_RIGHT, RIGHT_TO_LEFT)
"""The field type of the direction of a script."""
_RIGHT_TO_LEFT = frozenset(
    {
        *("Adlm", "Arab", "Aran", "Armi", "Avst", "Chrs", "Cprt", "Elym", "Gara", "Hatr", "Hebr"),
        *("Hung", "Khar", "Lydi", "Mand", "Mani", "Mend", "Merc", "Mero", "Narb", "Nbat", "Nkoo"),
        *("Orkh", "Ougr", "Palm", "Phli", "Phlp", "Phnx", "Prti", "Rohg", "Samr", "Sarb", "Sogd"),
        *("Sogo", "Syrc", "Thaa", "Yezi"),
    }
)
"""The scripts that Unicode writes from right to left (ISO 15924)."""


class LanguageTag(FieldType):
    """The tag of a language, with at most a script and a region: ``de``, ``pt-BR``, ``zh-Hant``.

    Case and underscores don't matter, and further subtags are dropped.
    """

    column_type = Text()

    def parse(self, value: Any) -> str:
        """Return the tag in its usual form."""
        found = _TAG.fullmatch(Str(_LONGEST).parse(value).replace("_", "-"))
        if found is None:
            message = "Must be the tag of a language, such as de or pt-BR"
            raise WrongValue(ProblemCode.NOT_A_LANGUAGE, message)
        language, script, region = found.group("language", "script", "region")
        parts = (language.lower(), (script or "").title(), (region or "").upper())
        return "-".join(filter(None, parts))

    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema of a tag."""
        return {"type": "string", "maxLength": _LONGEST}


def text_direction(tag: str) -> str:
    """Return the direction of a language's script: ``rtl``, or ``ltr`` also for unknown ones."""
    return RIGHT_TO_LEFT if _script(tag) in _RIGHT_TO_LEFT else LEFT_TO_RIGHT


def _script(tag: str) -> str | None:
    """Return the script that a tag names, else the usual one of its language and region."""
    found = _TAG.fullmatch(tag)
    if found is None:
        return None
    language, script, region = found.group("language", "script", "region")
    if script:
        return script.title()
    # Babel is large.
    from babel.core import get_global

    likely = get_global("likely_subtags")
    usual = region and likely.get(f"{language.lower()}_{region.upper()}")
    usual = usual or likely.get(language.lower(), "")
    return next((part for part in usual.split("_") if len(part) == _SCRIPT_LENGTH), None)
