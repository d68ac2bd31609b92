"""What is known of an image that this service keeps."""

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
