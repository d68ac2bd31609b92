"""The JSON Schema of an endpoint's answer, with and without further properties."""

from __future__ import annotations

from masthead.http.endpoints import Endpoint
from masthead.schemas.field_types import FieldType
from masthead.schemas.schema import json_schema
from masthead.web.openapi.subschemas import JsonSchema, with_subschemas

_BOUNDS = ("minLength", "maxItems")
"""The keywords that bound what clients send; stored values can be older than a bound."""


def open_schema(endpoint: Endpoint) -> JsonSchema | None:
    """Return the schema of an endpoint's 200 response, to which later releases may add properties.

    :returns: None for a response that isn't JSON.
    """
    shape = endpoint.returns
    if isinstance(shape, str):
        return None
    return _unbounded(shape.schema() if isinstance(shape, FieldType) else json_schema(shape))


def answer_schema(endpoint: Endpoint) -> JsonSchema | None:
    """Return the schema of an endpoint's 200 response, whose objects have no further properties.

    :returns: None for a response that isn't JSON.
    """
    opened = open_schema(endpoint)
    return None if opened is None else closed(opened)


def _unbounded(part: JsonSchema) -> JsonSchema:
    kept = {keyword: value for keyword, value in part.items() if keyword not in _BOUNDS}
    return with_subschemas(kept, lambda each, _name: _unbounded(each))


def closed(part: JsonSchema) -> JsonSchema:
    """Return a schema whose objects have no further properties."""
    inner = with_subschemas(part, lambda each, _name: closed(each))
    return {**inner, "additionalProperties": False} if "properties" in part else inner
