"""JPEG (ITU-T T.81): the segments that the picture is decoded from are kept."""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass

from masthead_media.formats.picture import NotAnImage, Picture, oriented_size
from masthead_media.formats.tiff import (
    IMAGES,
    NUMBER_OF_IMAGES,
    UPRIGHT,
    read_number,
    read_numbers,
    read_orientation,
    write_orientation,
)

SIGNATURE = b"\xff\xd8\xff"

_END, _SCAN = 0xD9, 0xDA
_SHORT = frozenset((0x01, 0xD8, _END))
"""The markers of segments without content."""
_APP0, _APP1, _APP2, _APP14 = 0xE0, 0xE1, 0xE2, 0xEE
_TABLES = frozenset((0xC4, 0xCC, 0xDB, 0xDC, 0xDD))
_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
# In a scan, FF00 and the restart markers don't end it; any number of FF may precede a marker.
_MARKER = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]")
_MAX_SEGMENTS, _MAX_SCANS = 2_000, 100
_EXIF, _JFIF, _ICC, _ADOBE, _MPF = b"Exif\0\0", b"JFIF\0", b"ICC_PROFILE\0", b"Adobe", b"MPF\0"
_RECORD, _IMAGE_TYPE = 16, 0xFFFFFF
_PREVIEWS = frozenset((0x010001, 0x010002))
"""The types of an image that is a smaller copy of the picture (CIPA DC-007, table 4)."""
# Ultra HDR: a JPEG followed by a gain map, which other decoders ignore.
_ULTRA_HDR = b' hdrgm:Version="'


@dataclass(frozen=True)
class _Segment:
    """A segment of a file."""

    marker: int
    whole: memoryview
    """The bytes from its marker to its end; of a scan, with the coded data that follows."""

    @property
    def content(self) -> bytes:
        """The bytes after its marker and length."""
        return bytes(self.whole[4:])


class _Segments:
    """A parser of the segments of a file."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 2
        self.scans = 0

    def next(self) -> _Segment:
        """Return the next segment.

        :raises NotAnImage: if there is none, it is truncated, or it is one scan too many.
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
            self.scans += 1
            if self.scans > _MAX_SCANS:
                raise NotAnImage
            after = _MARKER.search(self._data, end)
            end = after.start() if after else len(self._data)
        return end


def read(data: bytes) -> Picture:
    """Parse a file.

    :raises NotAnImage: if it is damaged or truncated, or holds several pictures (MPO). Previews of
        the picture, as cameras add them, are no other pictures.
    """
    segments = _Segments(data)
    size: tuple[int, int] | None = None
    header, body, metadata = b"", [], []
    for _ in range(_MAX_SEGMENTS):
        segment = segments.next()
        marker = segment.marker
        if marker == _END:
            break
        if marker == _APP0 and not header:
            header = _jfif(segment.content)
        elif marker in (_APP1, _APP2) and not segment.content.startswith(_ICC):
            metadata.append(segment.content)
        elif marker in _FRAMES:
            if size is not None:
                raise NotAnImage
            size = _size(segment.content)
        if _is_kept(segment):
            body.append(segment.whole)
    else:
        raise NotAnImage
    if size is None or _has_several_pictures(metadata):
        raise NotAnImage
    orientation = _orientation(metadata)
    if orientation != UPRIGHT:
        header += _segment(_APP1, _EXIF + write_orientation(orientation))
    width, height = oriented_size(*size, orientation)
    kept = b"".join((b"\xff\xd8", header, *body, b"\xff\xd9"))
    return Picture("JPEG", "image/jpeg", "jpg", width, height, kept, scans=segments.scans)


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
    """Return the JFIF header without its thumbnail; nothing for other content of the segment."""
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


def _orientation(metadata: list[bytes]) -> int:
    for content in metadata:
        if content.startswith(_EXIF):
            return read_orientation(content.removeprefix(_EXIF))
    return UPRIGHT


def _has_several_pictures(metadata: list[bytes]) -> bool:
    directories = (each.removeprefix(_MPF) for each in metadata if each.startswith(_MPF))
    several = any(map(_lists_several_pictures, directories))
    return several and not any(_ULTRA_HDR in content for content in metadata)


def _lists_several_pictures(directory: bytes) -> bool:
    number = read_number(directory, NUMBER_OF_IMAGES) or 0
    types = [record & _IMAGE_TYPE for record in read_numbers(directory, IMAGES, _RECORD)]
    others = types[1:number]
    # Records may be missing.
    return number > 1 and (len(others) < number - 1 or not _PREVIEWS.issuperset(others))
