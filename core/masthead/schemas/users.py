"""The form of a user in staff answers."""

from __future__ import annotations

from masthead.schemas.field_types import Int, Str
from masthead.schemas.schema import Object, required, schema

USER_SUMMARY = Object(
    schema(
        {
            "id": required(Int(1)),
            "username": required(Str()),
            "displayName": required(Str(), nullable=True),
        }
    )
)
"""A user beside an item: the creator, or somebody who took part in its approval. It dumps a row of
:class:`User` as well as a mapping."""
