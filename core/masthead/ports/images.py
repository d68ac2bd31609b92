"""Stored images and their uses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from masthead.settings import Setting


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
class StoredImages:
    """The table in which a plugin keeps the images that it stores, given by its columns.

    Public answers show an image beside each address that leads to one.
    """

    path: str
    """The path before the keys: the API serves an image at this path and its key."""
    key: Any
    """The unique key of an image."""
    width: Any
    height: Any
    """The size in pixels."""
    alt: Any
    """The alternative text, or null."""
    media_type: Any
    widths: Setting[tuple[int, ...]]
    """The setting with the widths in which the API also serves images, in ascending order; the
    query ``?w=`` chooses one."""


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
