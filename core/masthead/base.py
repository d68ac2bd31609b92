"""The declarative base of core's own tables."""

from __future__ import annotations

from sqlalchemy.orm import DeclarativeBase

from masthead.db import plugin_metadata


class Base(DeclarativeBase):
    """What the models of core's features derive from; their tables start with ``core_``."""

    metadata = plugin_metadata("core")
