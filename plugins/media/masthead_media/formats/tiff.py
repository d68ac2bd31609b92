"""TIFF directories, as in EXIF data: numbers are read, and the orientation is written."""

from __future__ import annotations

import struct

ORIENTATION = 0x0112
NUMBER_OF_IMAGES = 0xB001
UPRIGHT = 1

_SHORT, _LONG = 3, 4
_MAX_ENTRIES = 1_000


def read_number(data: bytes, wanted: int) -> int | None:
    """Return the number of a tag in the first directory of TIFF data; None if it is missing.

    :param wanted: the tag, of type SHORT or LONG.
    """
    order = {b"II*\0": "<", b"MM\0*": ">"}.get(data[:4])
    if order is None:
        return None
    try:
        (start,) = struct.unpack_from(f"{order}I", data, 4)
        (entries,) = struct.unpack_from(f"{order}H", data, start)
        for n in range(min(entries, _MAX_ENTRIES)):
            at = start + 2 + 12 * n
            tag, kind, count = struct.unpack_from(f"{order}HHI", data, at)
            if tag == wanted and kind in (_SHORT, _LONG) and count == 1:
                form = "H" if kind == _SHORT else "I"
                (number,) = struct.unpack_from(f"{order}{form}", data, at + 8)
                return int(number)
    except struct.error:
        pass
    return None


def read_orientation(data: bytes) -> int:
    """Return the orientation in EXIF data, 1 to 8; 1 if it is missing or invalid."""
    number = read_number(data, ORIENTATION) or UPRIGHT
    return number if number in range(1, 9) else UPRIGHT


def write_orientation(orientation: int) -> bytes:
    """Return EXIF data that holds the orientation alone."""
    return struct.pack(">2sHIHHHIHHI", b"MM", 42, 8, 1, ORIENTATION, _SHORT, 1, orientation, 0, 0)
