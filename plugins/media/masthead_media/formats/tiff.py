"""TIFF directories, as in EXIF data: numbers are read, and the orientation is written."""

from __future__ import annotations

import struct
from collections.abc import Iterator

ORIENTATION = 0x0112
NUMBER_OF_IMAGES, IMAGES = 0xB001, 0xB002
"""The tags of Multi-Picture Format (CIPA DC-007): how many images, and a record for each."""
UPRIGHT = 1

_SHORT, _LONG, _UNDEFINED = 3, 4, 7
_INLINE = 4
"""The number of bytes of a value that stands in its entry."""
_MAX_ENTRIES = 1_000


def read_number(data: bytes, wanted: int) -> int | None:
    """Return the number of a tag in the first directory of TIFF data; None if it is missing.

    :param wanted: the tag, of type SHORT or LONG.
    """
    for order, tag, kind, count, at in _entries(data):
        if tag == wanted and kind in (_SHORT, _LONG) and count == 1:
            form = "H" if kind == _SHORT else "I"
            (number,) = struct.unpack_from(f"{order}{form}", data, at)
            return int(number)
    return None


def read_numbers(data: bytes, wanted: int, size: int) -> list[int]:
    """Return the first number of each record of a tag in the first directory of TIFF data.

    :param wanted: the tag, of type UNDEFINED, whose records begin with a LONG.
    :param size: the number of bytes of a record.
    """
    for order, tag, kind, count, at in _entries(data):
        if tag == wanted and kind == _UNDEFINED and count > _INLINE:
            (start,) = struct.unpack_from(f"{order}I", data, at)
            content = data[start : start + count]
            whole = len(content) // size * size
            return [struct.unpack_from(f"{order}I", content, n)[0] for n in range(0, whole, size)]
    return []


def _entries(data: bytes) -> Iterator[tuple[str, int, int, int, int]]:
    """Yield byte order, tag, type, count and the place of the value of each entry."""
    order = {b"II*\0": "<", b"MM\0*": ">"}.get(data[:4])
    if order is None:
        return
    try:
        (start,) = struct.unpack_from(f"{order}I", data, 4)
        (entries,) = struct.unpack_from(f"{order}H", data, start)
        for n in range(min(entries, _MAX_ENTRIES)):
            at = start + 2 + 12 * n
            tag, kind, count, _value = struct.unpack_from(f"{order}HHII", data, at)
            yield order, tag, kind, count, at + 8
    except struct.error:
        return


def read_orientation(data: bytes) -> int:
    """Return the orientation in EXIF data, 1 to 8; 1 if it is missing or invalid."""
    number = read_number(data, ORIENTATION) or UPRIGHT
    return number if number in range(1, 9) else UPRIGHT


def write_orientation(orientation: int) -> bytes:
    """Return EXIF data that holds the orientation alone."""
    return struct.pack(">2sHIHHHIHHI", b"MM", 42, 8, 1, ORIENTATION, _SHORT, 1, orientation, 0, 0)
