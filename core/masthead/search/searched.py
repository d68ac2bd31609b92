"""Kinds of content that are searched, as far as the search needs to know them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from masthead.kinds import Kind


class SearchedField(Protocol):
    """A field of the items."""

    @property
    def name(self) -> str:
        """On the wire."""

    @property
    def attribute(self) -> str:
        """Of the model."""

    @property
    def kind(self) -> Kind:
        """What it holds."""


class Searched(Protocol):
    """A kind of content whose items are found by the words of some of their fields."""

    @property
    def name(self) -> str:
        """The content type's name."""

    @property
    def fields(self) -> Sequence[SearchedField]:
        """Everything that may have words."""

    @property
    def search_fields(self) -> Sequence[str]:
        """The names of those whose words count."""
