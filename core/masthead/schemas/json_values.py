"""The field type of JSON values that a JSON Schema describes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import islice
from typing import Any

import orjson
from sqlalchemy import JSON

from masthead.errors import Problem, ProblemCode, StartError, WrongValue
from masthead.schemas.field_types import MAX_ID, FieldType
from masthead.unicode.characters import has_controls, has_surrogates

_REFERRING = frozenset({"$ref", "$dynamicRef", "$id", "$anchor", "$dynamicAnchor", "$defs"})
_SHOWN = 200
_MOST_PROBLEMS = 20


class Json(FieldType):
    """A JSON object or array that a JSON Schema (draft 2020-12) describes, stored as it is sent.

    Use ``Object`` and ``ListOf`` wherever these can describe the value: they clean texts and
    sanitise HTML, whereas the texts of this type are only free of control characters. Objects with
    ``properties`` have no others, unless the schema says so by ``additionalProperties``.
    """

    column_type = JSON(none_as_null=True)

    def __init__(
        self, json_schema: Mapping[str, Any], *, max_bytes: int = 64 * 1024, max_depth: int = 16
    ) -> None:
        """Take the schema, and the bounds of a value.

        :param json_schema: its ``examples`` are the samples of the contract test.
        :raises StartError: for a schema that is wrong, refers to others, has an example that
            doesn't fit, or describes neither an object nor an array.
        """
        self._schema = _closed(dict(json_schema))
        self.max_bytes, self.max_depth = max_bytes, max_depth
        if self._schema.get("type") not in ("object", "array"):
            raise StartError('Json() takes a schema whose type is "object" or "array"')
        if found := sorted(_REFERRING.intersection(_keywords(self._schema))):
            raise StartError(f"Json() takes a schema without {', '.join(found)}")
        _check_schema(self._schema)
        self.samples = tuple(self._schema.get("examples", ()))
        self._check_samples()

    def parse(self, value: Any) -> Any:
        """Return the value."""
        self._check_bounds(value)
        # The first errors only, because each element of an array may have one.
        errors = list(islice(self._errors(value), _MOST_PROBLEMS))
        if errors:
            raise WrongValue.inside(str(errors[0]), errors)
        return value

    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema of the value."""
        return dict(self._schema)

    def _check_samples(self) -> None:
        for sample in self.samples:
            try:
                self.parse(sample)
            except WrongValue as error:
                raise StartError(f"Json() takes a schema whose examples fit it: {error}") from None

    def _errors(self, value: Any) -> Iterator[Problem]:
        for error in self._validator.iter_errors(value):
            path = ".".join(map(str, error.absolute_path))
            yield Problem(path, ProblemCode.INVALID, error.message[:_SHOWN])

    @cached_property
    def _validator(self) -> Any:
        # The library is large.
        from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

        return Draft202012Validator(self._schema)

    def _check_bounds(self, value: Any) -> None:
        """Refuse a value that is too large or deep, or has parts that not all programs read."""
        level, depth = [value], 0
        while level:
            if depth > self.max_depth:
                message = f"Must be nested at most {self.max_depth} levels deep"
                raise WrongValue(ProblemCode.TOO_COMPLEX, message)
            level = [part for each in level for part in _parts(each)]
            depth += 1
        if len(orjson.dumps(value)) > self.max_bytes:
            message = f"At most {self.max_bytes} bytes"
            raise WrongValue(ProblemCode.TOO_LONG, message, limit=self.max_bytes)


def _parts(value: Any) -> Iterator[Any]:
    """Yield the values within a value, after a check of the value itself."""
    if isinstance(value, dict):
        for name, each in value.items():
            _check_text(name)
            yield each
    elif isinstance(value, list):
        yield from value
    elif isinstance(value, str):
        _check_text(value)
    elif isinstance(value, int) and not -MAX_ID - 1 <= value <= MAX_ID:
        raise WrongValue(ProblemCode.OUT_OF_RANGE, "Must not have integers of more than 64 bits")


def _check_text(text: str) -> None:
    if has_controls(text) or has_surrogates(text):
        message = "Must not contain control characters or lone surrogates"
        raise WrongValue(ProblemCode.FORBIDDEN_CHARACTERS, message)


def _keywords(part: Any) -> Iterator[str]:
    """Yield the names of all members of a schema."""
    if isinstance(part, Mapping):
        for name, each in part.items():
            yield name
            yield from _keywords(each)
    elif isinstance(part, list | tuple):
        for each in part:
            yield from _keywords(each)


def _closed(part: Any) -> Any:
    """Return a schema whose objects with properties have no others by default."""
    if isinstance(part, Mapping):
        closed = {name: _closed(each) for name, each in part.items()}
        own = isinstance(part.get("properties"), Mapping) and "type" in part
        return {"additionalProperties": False, **closed} if own else closed
    return [_closed(each) for each in part] if isinstance(part, list | tuple) else part


def _check_schema(json_schema: Mapping[str, Any]) -> None:
    from jsonschema import Draft202012Validator, SchemaError

    try:
        Draft202012Validator.check_schema(json_schema)
    except SchemaError as error:
        raise StartError(f"Json() takes a JSON Schema: {error.message[:_SHOWN]}") from None
