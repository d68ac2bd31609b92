"""The few numbers that are read from EXIF data, and the one that is written: the orientation."""

from __future__ import annotations

import struct

ORIENTATION = 0x0112
NUMBER_OF_IMAGES = 0xB001
UPRIGHT = 1

_SHORT, _LONG = 3, 4
_MOST_ENTRIES = 1_000


def read_number(data: bytes, wanted: int) -> int | None:
    """A tag's number in the first directory of TIFF data; None where it isn't there.

    :param wanted: the tag, of type SHORT or LONG.
    """
    order = {b"II*\0": "<", b"MM\0*": ">"}.get(data[:4])
    if order is None:
        return None
    try:
        (start,) = struct.unpack_from(f"{order}I", data, 4)
        (entries,) = struct.unpack_from(f"{order}H", data, start)
        for n in range(min(entries, _MOST_ENTRIES)):
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
    """The orientation, 1 to 8, that EXIF data names; 1 where it names none."""
    number = read_number(data, ORIENTATION) or UPRIGHT
    return number if number in range(1, 9) else UPRIGHT


def write_orientation(orientation: int) -> bytes:
    """EXIF data that says nothing else."""
    return struct.pack(">2sHIHHHIHHI", b"MM", 42, 8, 1, ORIENTATION, _SHORT, 1, orientation, 0, 0)
