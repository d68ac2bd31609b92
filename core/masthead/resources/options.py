"""The options of a resource that have a structure: filters, public endpoints and copies."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement
from sqlalchemy.orm import Session

from masthead.schemas.field_types import FieldType

LIST, SHOW, CREATE, UPDATE, DELETE = "list", "show", "create", "update", "delete"
OPERATIONS = (LIST, SHOW, CREATE, UPDATE, DELETE)


@dataclass(frozen=True)
class Filter:
    """A query parameter that filters a list by another condition than a field's value."""

    kind: FieldType
    """The type of its value."""
    condition: Callable[..., ColumnElement[bool]]
    """Return the condition, given the mapped class to select from and the value."""
    through: type[Any] | None = None
    """A mapped class of links to items, which is selected from instead of the items. It has
    ``item_id`` and copies of the columns that the list is ordered and filtered by, so that one
    index serves both."""
    needs_session: bool = False
    """Whether the condition gets the session before the other arguments."""


@dataclass(frozen=True)
class PublicRoutes:
    """The public endpoints of a resource, below ``/api/``.

    They show the fields that aren't declared with ``public=False``. Where the resource has a field
    ``published``, they show published items only.
    """

    operations: tuple[str, ...] = (LIST, SHOW)
    """``list``, ``show`` or both."""
    by: str = "id"
    """The field whose value stands in the address of an item: ``id``, or a unique text such as
    ``slug``."""
    shows: tuple[str, ...] = ()
    """Names from ``Resource.shows`` that the public sees too; each has to be a column."""
    listed_at: str = ""
    """The path of the page of the website that lists the items, if they have no page of their own:
    the search in all types leads to it."""


@dataclass(frozen=True)
class Copies:
    """The copies that staff make of the items of a resource."""

    title: str = "title"
    """The text field that marks a copy."""
    without: tuple[str, ...] = ()
    """The fields that a copy doesn't take over, besides ``slug`` and ``published``."""


@dataclass(frozen=True)
class LinkPreview:
    """The preview links to items whose public answer isn't that of ``PublicRoutes``."""

    render: Callable[[Session, Any], Mapping[str, Any]]
    """Return the JSON values that the public would see of an item. It may change the item for that,
    as the transaction is rolled back."""
