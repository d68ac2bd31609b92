"""What the models of the plugin's features share: the declarative base, and how long texts are."""

from __future__ import annotations

from typing import Any, ClassVar

from sqlalchemy.orm import DeclarativeBase

from masthead import ID, plugin_metadata

LONG_TEXT = 1024 * 1024
"""Characters of a text part or of notes."""


class Base(DeclarativeBase):
    """What the models of this plugin derive from; their tables start with ``email_``."""

    metadata = plugin_metadata("email")
    type_annotation_map: ClassVar[dict[Any, Any]] = {int: ID}
