"""The type of ids that are text which staff choose."""

from __future__ import annotations

import re
from typing import Any

from masthead.errors import ProblemCode, WrongValue
from masthead.schemas.field_types import Str

_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


class Name(Str):
    """An id that is text: lower-case ASCII letters and digits, joined by single hyphens."""

    def __init__(self) -> None:
        super().__init__(80)

    def parse(self, value: Any) -> str:
        text = super().parse(value)
        if not _NAME.fullmatch(text):
            message = "Must be made of a-z, 0-9 and single hyphens between them"
            raise WrongValue(ProblemCode.WRONG_FORM, message)
        return text
