"""The fields of content and resources that refer to items."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from masthead.errors import StartError
from masthead.schemas.fields import Field
from masthead.schemas.references import CLEAR, REFUSE, Ref, Refs, reference_in

_SUFFIXES = ("Ids", "Id", "_ids", "_id")


@dataclass(frozen=True)
class Reference:
    """A field that refers to items."""

    field: Field
    kind: Ref | Refs

    @property
    def name(self) -> str:
        """The name of the field on the wire: ``venueId``."""
        return self.field.name

    @property
    def target(self) -> str:
        """The name of the content type or resource that it refers to."""
        return self.kind.target

    @property
    def is_list(self) -> bool:
        """Whether its value is a list of ids."""
        return isinstance(self.kind, Refs)

    @property
    def embedded_as(self) -> str:
        """The name of the items in answers that embed them: ``venue``."""
        suffix = next((each for each in _SUFFIXES if self.name.endswith(each)), "")
        return self.kind.embed or self.name.removesuffix(suffix)

    def ids(self, value: Any) -> list[int]:
        """Return the ids in a value."""
        if isinstance(value, list):
            return [each for each in value if isinstance(each, int)]
        return [value] if isinstance(value, int) else []

    def without(self, value: Any, missing: Iterable[int]) -> Any:
        """Return a value without some ids."""
        if isinstance(value, list):
            return [each for each in value if each not in set(missing)]
        return None if value in set(missing) else value


def references_of(fields: Iterable[Field]) -> Iterator[Reference]:
    """Yield the fields that refer to items."""
    for field in fields:
        kind = reference_in(field.kind)
        if kind is not None:
            yield Reference(field, kind)


def check_references(name: str, fields: Iterable[Field], taken: Iterable[str]) -> None:
    """Refuse references that could not work.

    :param name: the content type or resource that has the fields.
    :param taken: the names that no embedded item may have.
    :raises StartError: for the first mistake.
    """
    used = set(taken)
    for each in references_of(fields):
        if each.kind.on_delete not in (REFUSE, CLEAR):
            raise StartError(f"{name}: on_delete of {each.name} has to be refuse or clear")
        if each.kind.on_delete == CLEAR and not each.is_list and each.field.required:
            raise StartError(f"{name}: a required {each.name} can't be cleared")
        if each.embedded_as in used:
            raise StartError(
                f"{name}: {each.embedded_as} is the name of another value; give {each.name} a name"
                " for its embedded items by embed"
            )
        used.add(each.embedded_as)
