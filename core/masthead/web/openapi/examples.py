"""Examples of the named schemas, made from the declared examples and the types of their fields."""

from __future__ import annotations

from typing import Any

from masthead.web.openapi.components import PREFIX
from masthead.web.openapi.subschemas import JsonSchema

_BY_FORMAT = {
    "date": "2026-03-01",
    "date-time": "2026-03-01T09:30:00.000Z",
    "idn-email": "ada@example.org",
    "uri-reference": "https://example.org/",
    "password": "correct horse battery staple",
    "binary": "",
}
_SAMPLE = "text"


def add_examples(schemas: dict[str, JsonSchema]) -> dict[str, JsonSchema]:
    """Return the schemas by name, in the order of the names, each with an example."""
    return {
        name: {**schema, "examples": [_example(schema, schemas, (name,))]}
        for name, schema in sorted(schemas.items())
    }


def _example(part: JsonSchema, schemas: dict[str, JsonSchema], outer: tuple[str, ...]) -> Any:
    if "examples" in part:
        return part["examples"][0]
    if "$ref" in part:
        name = part["$ref"].removeprefix(PREFIX)
        return None if name in outer else _example(schemas[name], schemas, (*outer, name))
    if "anyOf" in part:
        return _example(part["anyOf"][0], schemas, outer)
    if "properties" in part:
        members = part["properties"].items()
        return {name: _example(each, schemas, outer) for name, each in members}
    if "items" in part:
        element = _example(part["items"], schemas, outer)
        return [] if element is None else [element]
    return _scalar(part)


def _scalar(part: JsonSchema) -> Any:
    """Return an example of text, a number or a boolean."""
    kind = part.get("type", "object")
    if not isinstance(kind, str):
        return None  # It can be null.
    if "enum" in part:
        return part["enum"][0]
    if kind == "string":
        return _text(part)
    return {"integer": part.get("minimum", 1), "boolean": True, "object": {}}.get(kind)


def _text(part: JsonSchema) -> str:
    if part.get("contentMediaType") == "text/html":
        return "<p>Text</p>"
    sample = _BY_FORMAT.get(part.get("format", ""), _SAMPLE)
    return sample if len(sample) >= part.get("minLength", 0) else sample * part["minLength"]
