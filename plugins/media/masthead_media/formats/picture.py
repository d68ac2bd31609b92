"""What reading a file finds out about the picture in it."""

from __future__ import annotations

from dataclasses import dataclass


class NotAnImage(Exception):
    """The bytes are no image of the four formats, or one that is damaged."""


@dataclass(frozen=True)
class Picture:
    """An image without what tells of its maker: no place, device, author, comment, hidden bytes."""

    format: str
    """As Pillow calls it: ``JPEG``."""
    media_type: str
    extension: str
    """Of a file's name, without the dot."""
    width: int
    """In pixels, as it is shown: orientation is heeded."""
    height: int
    content: bytes
    """The file, its pixels and colours as they were."""
    frames: int = 1

    @property
    def pixels(self) -> int:
        """Of all frames together."""
        return self.width * self.height * self.frames


def as_shown(width: int, height: int, orientation: int) -> tuple[int, int]:
    """Width and height of a picture that is stored in an orientation (EXIF 2.32, tag 274)."""
    return (height, width) if orientation >= 5 else (width, height)
