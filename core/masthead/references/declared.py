"""The kinds of items that refer to others or can be referred to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import singledispatch
from typing import Any, Protocol, cast

from sqlalchemy import ColumnElement, FromClause

from masthead.instance import Instance
from masthead.references.fields import Reference, references_of
from masthead.schemas.fields import Field
from masthead.schemas.shapes import Shape

_TITLES = ("title", "name", "label", "subject")
"""The columns that can name an item, the best one first."""


class Kind(Protocol):
    """A content type or resource."""

    name: str
    label: str
    plural: str
    model: type[Any]
    read_permission: str
    computed: Mapping[str, Any]
    """Further fields of answers by wire name; those of the class ``Computed`` can be public."""

    @property
    def fields(self) -> tuple[Field, ...]:
        """The writable fields."""

    def seen(self, rows: FromClause) -> ColumnElement[bool] | None:
        """Return the condition that the public sees an item at ``NOW``; None if it sees none."""


@dataclass(frozen=True)
class Source:
    """A kind of items that refer to others."""

    kind: Kind
    references: tuple[Reference, ...]


class Declared:
    """The content types and resources of an instance, and their references."""

    def __init__(self, instance: Instance) -> None:
        # Other approvable types have no fields; those of their resources count.
        types = {n: it for n, it in instance.content_types.items() if hasattr(it, "fields")}
        kinds: Mapping[str, Any] = {**types, **instance.resources}
        self.kinds = cast("Mapping[str, Kind]", kinds)
        """By name."""
        found = [Source(kind, tuple(references_of(kind.fields))) for kind in self.kinds.values()]
        self.sources = {each.kind.name: each for each in found if each.references}
        """The kinds with references, by name."""
        self.by_model = {each.kind.model: each for each in self.sources.values()}
        """The same, by model."""


def declared_in(instance: Instance) -> Declared:
    """Return the content types and resources of an instance, and their references."""
    return instance.shared(Declared)


@singledispatch
def list_shape(kind: object, instance: Instance) -> Shape:
    """Return the fields of an item of a content type or resource in a public list.

    The modules that read the items for the public register a function for each.
    """
    raise NotImplementedError  # core has one for each kind


def title_column(kind: Kind) -> ColumnElement[Any] | None:
    """Return the column with the title of an item; None if it has none."""
    columns = kind.model.__table__.c
    return next((columns[name] for name in _TITLES if name in columns), None)
