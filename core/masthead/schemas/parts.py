"""Objects of which a client chooses the fields."""

from __future__ import annotations

from typing import Any

from masthead.schemas.field_types import FieldType
from masthead.schemas.schema import Object

PARTIAL = "Partial"
"""The end of the name of an object with the chosen fields of another one."""


class PartsOf(FieldType):
    """The object of another field type, or only those of its fields that a client asks for."""

    def __init__(self, whole: Object) -> None:
        self.whole = whole

    def dump(self, value: Any) -> dict[str, Any]:
        return self.whole.dump(value)

    def schema(self) -> dict[str, Any]:
        whole = self.whole.schema()
        parts = {name: whole[name] for name in whole if name != "required"}
        if name := whole.get("title"):
            parts |= {"title": name + PARTIAL, "description": f"Some of the fields of {name}."}
        return {"anyOf": [whole, parts]}
