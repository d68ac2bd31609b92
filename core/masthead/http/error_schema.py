"""The JSON Schema of refusals."""

from __future__ import annotations

from typing import Any

from masthead.errors import ProblemCode

_PROBLEM: dict[str, Any] = {
    "type": "object",
    "properties": {
        "path": {
            "type": "string",
            "description": "The wrong field: a member of the body such as `mission.content`, with"
            " the indexes of arrays from 0 such as `columns.3.field`, a query parameter, or a field"
            " of the form.",
        },
        "code": {
            "type": "string",
            "enum": [str(code) for code in ProblemCode],
            "description": "The kind of problem, for programs. Later versions may add codes.",
        },
        "message": {"type": "string", "description": "A message for humans."},
        "limit": {"type": "integer", "description": "The most or the fewest that are accepted."},
        "minimum": {"type": "integer", "description": "The least accepted value."},
        "maximum": {"type": "integer", "description": "The greatest accepted value."},
        "options": {"type": "array", "description": "The accepted values."},
    },
    "required": ["path", "code", "message"],
    "additionalProperties": False,
}
ERROR_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "error": {"type": "string", "minLength": 1, "description": "A message for humans."},
        "fields": {
            "type": "array",
            "minItems": 1,
            "items": _PROBLEM,
            "description": "The wrong fields, if there are some.",
        },
    },
    "required": ["error"],
    "additionalProperties": False,
}
"""The JSON Schema of every refusal in JSON."""
