"""The base class of the plugin's models, and the maximum length of their texts."""

from __future__ import annotations

from typing import Any, ClassVar

from sqlalchemy.orm import DeclarativeBase

from masthead import ID, plugin_metadata

LONG_TEXT = 1024 * 1024
"""The maximum number of characters of a text part or of notes."""


class Base(DeclarativeBase):
    """The base class of the models; the names of their tables start with ``email_``."""

    metadata = plugin_metadata("email")
    type_annotation_map: ClassVar[dict[Any, Any]] = {int: ID}
