"""JPEG (ITU-T T.81): segments, of which those stay that the picture is decoded from."""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass

from masthead_media.formats.picture import NotAnImage, Picture, as_shown
from masthead_media.formats.tiff import (
    NUMBER_OF_IMAGES,
    UPRIGHT,
    read_number,
    read_orientation,
    write_orientation,
)

SIGNATURE = b"\xff\xd8\xff"

_END, _SCAN = 0xD9, 0xDA
_SHORT = frozenset((0x01, 0xD8, _END))
"""The markers that stand alone."""
_APP0, _APP1, _APP2, _APP14 = 0xE0, 0xE1, 0xE2, 0xEE
_TABLES = frozenset((0xC4, 0xCC, 0xDB, 0xDC, 0xDD))
_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
# Within a scan 00 and the restart markers don't end it; any number of FF may precede a marker.
_MARKER = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]")
_MOST_SEGMENTS = 20_000
_EXIF, _JFIF, _ICC, _ADOBE, _MPF = b"Exif\0\0", b"JFIF\0", b"ICC_PROFILE\0", b"Adobe", b"MPF\0"
# A photograph with a map of its brightness, which other readers show as the JPEG that it is.
_ULTRA_HDR = b' hdrgm:Version="'


@dataclass(frozen=True)
class _Segment:
    """A part of a file."""

    marker: int
    whole: memoryview
    """From its marker to its end; a scan's with the coded data behind it."""

    @property
    def content(self) -> bytes:
        """What follows its marker and length."""
        return bytes(self.whole[4:])


class _Segments:
    """The segments of a file, one after the other."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 2

    def next(self) -> _Segment:
        """The next one.

        :raises NotAnImage: where there is none, or it is cut off.
        """
        found = _MARKER.search(self._data, self._at)
        if found is None:
            raise NotAnImage
        marker = self._data[found.start() + 1]
        self._at = found.end() if marker in _SHORT else self._end(found.end(), marker)
        return _Segment(marker, memoryview(self._data)[found.start() : self._at])

    def _end(self, start: int, marker: int) -> int:
        length = int.from_bytes(self._data[start : start + 2], "big")
        end = start + length
        if length < 2 or end > len(self._data):
            raise NotAnImage
        if marker == _SCAN:
            after = _MARKER.search(self._data, end)
            end = after.start() if after else len(self._data)
        return end


def read(data: bytes) -> Picture:
    """Read a file.

    :raises NotAnImage: where it is damaged, cut off, or holds several pictures (MPO).
    """
    segments = _Segments(data)
    size: tuple[int, int] | None = None
    head, body, said = b"", [], []
    for _ in range(_MOST_SEGMENTS):
        segment = segments.next()
        marker = segment.marker
        if marker == _END:
            break
        if marker == _APP0 and not head:
            head = _jfif(segment.content)
        elif marker in (_APP1, _APP2) and not segment.content.startswith(_ICC):
            said.append(segment.content)
        elif marker in _FRAMES:
            if size is not None:
                raise NotAnImage
            size = _size(segment.content)
        if _is_kept(segment):
            body.append(segment.whole)
    else:
        raise NotAnImage
    if size is None or _is_one_of_several(said):
        raise NotAnImage
    orientation = _orientation(said)
    if orientation != UPRIGHT:
        head += _segment(_APP1, _EXIF + write_orientation(orientation))
    width, height = as_shown(*size, orientation)
    kept = b"".join((b"\xff\xd8", head, *body, b"\xff\xd9"))
    return Picture("JPEG", "image/jpeg", "jpg", width, height, kept)


def _is_kept(segment: _Segment) -> bool:
    marker = segment.marker
    if marker == _APP2:
        return segment.content.startswith(_ICC)
    if marker == _APP14:
        return segment.content.startswith(_ADOBE)
    return marker == _SCAN or marker in _TABLES or marker in _FRAMES


def _segment(marker: int, content: bytes) -> bytes:
    return struct.pack(">BBH", 0xFF, marker, len(content) + 2) + content


def _jfif(content: bytes) -> bytes:
    """The head of a file without its thumbnail; nothing for what else stands there."""
    if not content.startswith(_JFIF):
        return b""
    if len(content) < 12:
        raise NotAnImage
    return _segment(_APP0, content[:12] + b"\0\0")


def _size(frame: bytes) -> tuple[int, int]:
    if len(frame) < 5:
        raise NotAnImage
    height, width = struct.unpack_from(">HH", frame, 1)
    if not width or not height:
        raise NotAnImage
    return width, height


def _orientation(said: list[bytes]) -> int:
    for content in said:
        if content.startswith(_EXIF):
            return read_orientation(content.removeprefix(_EXIF))
    return UPRIGHT


def _is_one_of_several(said: list[bytes]) -> bool:
    numbers = [
        read_number(content.removeprefix(_MPF), NUMBER_OF_IMAGES) or 0
        for content in said
        if content.startswith(_MPF)
    ]
    return max(numbers, default=0) > 1 and not any(_ULTRA_HDR in content for content in said)
