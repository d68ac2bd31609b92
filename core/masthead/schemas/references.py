"""Field types of references to items of other content types and resources."""

from __future__ import annotations

from typing import Literal

from masthead.schemas.field_types import MAX_ID, FieldType, Int
from masthead.schemas.schema import ListOf, Nullable

REFUSE: Literal["refuse"] = "refuse"
CLEAR: Literal["clear"] = "clear"
OnDelete = Literal["refuse", "clear"]
MOST_REFERENCES = 100
"""The default of the maximum number of ids of one field."""


class Ref(Int):
    """The id of an item of a content type or resource, which may belong to another plugin.

    A write is refused if the item doesn't exist.
    """

    def __init__(self, target: str, *, on_delete: OnDelete = REFUSE, embed: str = "") -> None:
        """Declare a reference.

        :param target: the name of the content type or resource, whose ids are numbers.
        :param on_delete: the effect of a delete of the item: ``refuse`` refuses it and names the
            items that refer to it; ``clear`` sets this field to null.
        :param embed: the name of the item in answers that embed it; by default the name of the
            field without ``Id``.
        """
        super().__init__(1, MAX_ID)
        self.target: str = target
        self.on_delete, self.embed = on_delete, embed


class Refs(ListOf):
    """The ids of items of a content type or resource in an order, each once.

    A write is refused if one of the items doesn't exist.
    """

    def __init__(
        self,
        target: str,
        *,
        on_delete: OnDelete = REFUSE,
        embed: str = "",
        max_length: int = MOST_REFERENCES,
    ) -> None:
        """Declare references.

        :param target: the name of the content type or resource, whose ids are numbers.
        :param on_delete: the effect of a delete of an item: ``refuse`` refuses it and names the
            items that refer to it; ``clear`` removes its id from this field.
        :param embed: the name of the items in answers that embed them; by default the name of the
            field without ``Ids``.
        :param max_length: the maximum number of ids.
        """
        super().__init__(Int(1, MAX_ID), max_length=max_length, unique=True)
        self.target: str = target
        self.on_delete, self.embed = on_delete, embed


def reference_in(kind: FieldType) -> Ref | Refs | None:
    """Return the type of references that a field has; None for another field."""
    inner = kind.inner if isinstance(kind, Nullable) else kind
    return inner if isinstance(inner, Ref | Refs) else None
