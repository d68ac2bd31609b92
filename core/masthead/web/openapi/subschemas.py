"""The schemas within a JSON Schema."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

JsonSchema = dict[str, Any]
_ONE = ("items", "additionalProperties", "not")
_MANY = ("anyOf", "allOf", "oneOf")


def with_subschemas(
    part: JsonSchema, change: Callable[[JsonSchema, str], JsonSchema]
) -> JsonSchema:
    """Return a copy of a schema with each schema directly within it changed.

    :param change: returns the new schema, given the schema and the name of the property that it
        describes, or a blank name.
    """
    changed = dict(part)
    for keyword in _ONE:
        if isinstance(part.get(keyword), dict):
            changed[keyword] = change(part[keyword], "")
    for keyword in _MANY:
        if keyword in part:
            changed[keyword] = [change(each, "") for each in part[keyword]]
    if "properties" in part:
        properties = part["properties"].items()
        changed["properties"] = {name: change(each, name) for name, each in properties}
    return changed
