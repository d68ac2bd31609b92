"""The field type of the tags of languages."""

from __future__ import annotations

import re
from typing import Any

from masthead.errors import ProblemCode, WrongValue
from masthead.schemas.field_types import FieldType, Str

_TAG = re.compile(
    r"(?P<language>[a-z]{2,3})(?:-(?P<script>[a-z]{4}))?(?:-(?P<region>[a-z]{2}|\d{3}))?"
    r"(?:-[a-z\d]{1,8})*",
    re.ASCII | re.IGNORECASE,
)
_LONGEST = 35


class LanguageTag(FieldType):
    """The tag of a language, with at most a script and a region: ``de``, ``pt-BR``, ``zh-Hant``.

    Case and underscores don't matter, and further subtags are dropped.
    """

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
