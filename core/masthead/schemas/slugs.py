"""The field type of slugs that staff choose."""

from __future__ import annotations

import re
from typing import Any

from masthead.db import KEY
from masthead.db.slugs import MAX_LENGTH, slug_base
from masthead.errors import ProblemCode, WrongValue
from masthead.schemas.field_types import FieldType, Str

SLUG_FIELD = "slug"
"""The name of the field with the slug."""
TAKE_OVER = "takeOver"
"""The member of a body that lets an item have the former slug of another one."""
TAKE_OVER_HELP = (
    "Whether it may have the former slug of another item, which then no longer leads there."
)
SLUG_HELP = (
    "Its part of an address, which is unique among the items of this type; null or blank in a body"
    " means one from the title."
)
TAKEN = "already taken"
LEADS_ELSEWHERE = (
    "Still leads to another item, which had it before; send takeOver to use it for this one"
)
_SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


class Slug(FieldType):
    """The part of an address that names an item: ``a-z``, ``0-9`` and single hyphens.

    Null or blank means a slug that is made from the title.
    """

    column_type = KEY

    def parse(self, value: Any) -> str:
        """Return the slug; the error for other text suggests one."""
        text: str = Str().parse(value)
        if len(text) > MAX_LENGTH or not _SLUG.fullmatch(text):
            raise WrongValue(
                ProblemCode.WRONG_FORM,
                f"Must be made of a-z, 0-9 and single hyphens, at most {MAX_LENGTH} characters,"
                f" such as {slug_base(text)}",
            )
        return text

    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema of a slug."""
        return {"type": "string", "pattern": f"^{_SLUG.pattern}$", "maxLength": MAX_LENGTH}
