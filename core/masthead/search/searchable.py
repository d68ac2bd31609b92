"""The part of a content type or resource that the search index uses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from sqlalchemy.orm import Session

from masthead.schemas.fields import Field


class Searchable(Protocol):
    """A content type or resource whose items are found by the text of some of their fields."""

    @property
    def name(self) -> str:
        """The name of the content type or resource."""

    @property
    def fields(self) -> Sequence[Field]:
        """All writable fields."""

    @property
    def search_fields(self) -> Sequence[str]:
        """The names of the fields whose text is indexed."""

    def linked_texts(self, session: Session, items: Sequence[Any]) -> Mapping[int, LinkedText]:
        """Return text of other rows that finds the items, by the items' ids."""


@dataclass(frozen=True)
class LinkedText:
    """Text of other rows that finds an item, such as the names of its tags."""

    live: str
    staged: str
