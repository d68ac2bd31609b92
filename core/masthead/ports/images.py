"""Stored images and their uses."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ImageInfo:
    """A stored image."""

    path: str
    """The path at which the API serves it: ``/api/images/…``."""
    media_type: str
    """For example ``image/jpeg``."""
    size: int
    """The size in bytes."""


@dataclass(frozen=True)
class ImageUse:
    """An item that refers to an image."""

    path: str
    """The path of the image, as in :class:`ImageInfo`."""
    kind: str
    """The kind of the item in the plural: ``news``, ``people``."""
    id: int | str
    title: str
    """The title of the item; blank if it has none."""
    permission: str
    """The permission that reading the item needs."""
