"""Lists and objects in columns of JSON, which hold the JSON values of their parts."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from typing import Any

from masthead.errors import StartError
from masthead.schemas.field_types import FieldType, Password
from masthead.schemas.references import Ref, Refs
from masthead.schemas.schema import ListOf, Nullable, Object


class _InJson(FieldType):
    """A field type whose stored value is its JSON value."""

    def parse(self, value: Any) -> Any:
        """Return the JSON value, in the form of answers."""
        return super().dump(super().parse(value))

    def dump(self, value: Any) -> Any:
        """Return the value unchanged."""
        return value

    def restore(self, value: Any) -> Any:
        """Return the value unchanged."""
        return value


def in_json(kind: FieldType) -> FieldType:
    """Return the form of a list or an object in which a column of JSON holds its values.

    A time within is text then, as in answers, for the code of plugins too.

    :raises StartError: for passwords or references within it.
    """
    if any(isinstance(each, Password | Ref | Refs) for each in _parts(kind)):
        raise StartError("A column can't hold passwords or references within lists or objects")
    clone = copy(kind)
    clone.__class__ = type(type(kind).__name__, (_InJson, type(kind)), {})
    return clone


def _parts(kind: FieldType) -> Iterator[FieldType]:
    """Yield the types within a list or an object, and those within these."""
    is_wrapper = isinstance(kind, Nullable | ListOf)
    children = (child.typ for child in kind.node) if isinstance(kind, Object) else ()
    for each in (kind.inner,) if is_wrapper else children:
        yield each
        yield from _parts(each)
