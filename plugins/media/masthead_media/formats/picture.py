"""The result of parsing an image file."""

from __future__ import annotations

from dataclasses import dataclass

MAX_FRAMES = 2_000
"""The maximum number of frames of an animation, however small they are."""


class NotAnImage(Exception):
    """The bytes are not an image of the four formats, or the image is damaged."""


@dataclass(frozen=True)
class Picture:
    """An image without metadata: no location, device, author, comment or hidden bytes."""

    format: str
    """Pillow's name of the format: ``JPEG``."""
    media_type: str
    extension: str
    """The extension of file names, without the dot."""
    width: int
    """In pixels, after its orientation is applied."""
    height: int
    """In pixels, after its orientation is applied."""
    content: bytes
    """The bytes of the file; pixels and colours are unchanged."""
    frames: int = 1
    scans: int = 1
    """How often a decoder passes over the pixels."""

    @property
    def pixels(self) -> int:
        """The number of pixels of all frames together."""
        return self.width * self.height * self.frames


def oriented_size(width: int, height: int, orientation: int) -> tuple[int, int]:
    """Return width and height after an orientation is applied (EXIF 2.32, tag 274)."""
    return (height, width) if orientation >= 5 else (width, height)
