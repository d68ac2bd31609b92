"""The declarative base of core's own tables."""

from __future__ import annotations

from typing import Any, ClassVar

from sqlalchemy.orm import DeclarativeBase

from masthead.db import ID, plugin_metadata


class Base(DeclarativeBase):
    """The base class of the models of core's features; their tables start with ``core_``."""

    metadata = plugin_metadata("core", by_hand=("core_search",))
    type_annotation_map: ClassVar[dict[Any, Any]] = {int: ID}
