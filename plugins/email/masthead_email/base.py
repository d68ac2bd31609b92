"""The declarative base of the plugin's tables, for the models of its features."""

from __future__ import annotations

from typing import Any, ClassVar

from sqlalchemy.orm import DeclarativeBase

from masthead import ID, plugin_metadata


class Base(DeclarativeBase):
    """What the models of this plugin derive from; their tables start with ``email_``."""

    metadata = plugin_metadata("email")
    type_annotation_map: ClassVar[dict[Any, Any]] = {int: ID}
