"""What is known of an image that this service keeps, and of what names it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ImageInfo:
    """A stored image."""

    path: str
    """Where the API serves it: ``/api/images/…``."""
    media_type: str
    """Such as ``image/jpeg``."""
    size: int
    """In bytes."""


@dataclass(frozen=True)
class ImageUse:
    """Something that names an image, so that it would miss it."""

    path: str
    """The image's, as above."""
    kind: str
    """What names it, in the plural: ``news``, ``people``."""
    id: int | str
    title: str
    """As staff know it; blank where it has none."""
