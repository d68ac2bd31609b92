"""Uses of items by items of other features."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ItemUse:
    """An item that refers to another one, and would not work without it."""

    target: int | str
    """The id of the item that is used."""
    kind: str
    """The kind of the using item in the plural: ``follow-up-rules``."""
    id: int | str
    title: str
    """The title of the using item; blank if it has none."""
    permission: str
    """The permission that reading the using item needs."""
