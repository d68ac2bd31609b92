"""Kinds of content that are searched, as far as the search needs to know them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from masthead.schemas.fields import Field


class Searched(Protocol):
    """A kind of content whose items are found by the words of some of their fields."""

    @property
    def name(self) -> str:
        """The name of the content type or resource."""

    @property
    def fields(self) -> Sequence[Field]:
        """Everything that may have words."""

    @property
    def search_fields(self) -> Sequence[str]:
        """The names of those whose words count."""
