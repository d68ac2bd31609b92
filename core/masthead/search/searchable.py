"""The part of a content type or resource that the search index uses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

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
