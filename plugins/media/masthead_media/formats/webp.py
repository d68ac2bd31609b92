"""WebP (RFC 9649): chunks of RIFF, of which those stay that the picture is decoded from."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from masthead_media.formats.picture import NotAnImage, Picture, as_shown
from masthead_media.formats.tiff import UPRIGHT, read_orientation, write_orientation

SIGNATURE = b"RIFF"

_EXTENDED, _LOSSY, _LOSSLESS, _ALPHA = b"VP8X", b"VP8 ", b"VP8L", b"ALPH"
_FRAME, _EXIF = b"ANMF", b"EXIF"
_KEPT = frozenset((_EXTENDED, b"ICCP", b"ANIM", _FRAME, _ALPHA, _LOSSY, _LOSSLESS))
_IN_FRAME = frozenset((_ALPHA, _LOSSY, _LOSSLESS))
_FRAME_HEAD = 16
_HAS_EXIF, _HAS_XMP = 0x08, 0x04
_MOST_CHUNKS = 100_000
# Some writers put what only JPEG has in front of EXIF data.
_PREFIX = b"Exif\0\0"

Chunk = tuple[bytes, bytes]


def read(data: bytes) -> Picture:
    """Read a file.

    :raises NotAnImage: where it is damaged or cut off.
    """
    length = int.from_bytes(data[4:8], "little") + 8
    if data[8:12] != b"WEBP" or length > len(data):
        raise NotAnImage
    chunks = list(_chunks(data[:length], 12))
    if not chunks:
        raise NotAnImage
    kind, first = chunks[0]
    size = _size(kind, first)
    orientation = UPRIGHT
    kept = [chunks[0]]
    if kind == _EXTENDED:
        said = (content.removeprefix(_PREFIX) for kind, content in chunks if kind == _EXIF)
        orientation = next(map(read_orientation, said), UPRIGHT)
        kept = [_extended(first, orientation), *map(_cleaned, chunks[1:])]
        kept = [chunk for chunk in kept if chunk[0] in _KEPT]
    if orientation != UPRIGHT:
        kept.append((_EXIF, write_orientation(orientation)))
    body = b"WEBP" + b"".join(_chunk(*each) for each in kept)
    content = struct.pack("<4sI", SIGNATURE, len(body)) + body
    width, height = as_shown(*size, orientation)
    frames = max(1, sum(kind == _FRAME for kind, _ in kept))
    return Picture("WEBP", "image/webp", "webp", width, height, content, frames)


def _chunks(data: bytes, at: int) -> Iterator[Chunk]:
    """Kind and content of each chunk from ``at`` on."""
    for _ in range(_MOST_CHUNKS):
        if at >= len(data):
            return
        head = data[at : at + 8]
        if len(head) < 8:
            raise NotAnImage
        kind, length = struct.unpack("<4sI", head)
        content = data[at + 8 : at + 8 + length]
        if len(content) < length:
            raise NotAnImage
        yield kind, content
        at += 8 + length + length % 2
    raise NotAnImage


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack("<4sI", kind, len(content)) + content + b"\0" * (len(content) % 2)


def _cleaned(chunk: Chunk) -> Chunk:
    """A frame may have chunks of its own that nobody knows."""
    kind, content = chunk
    if kind != _FRAME:
        return chunk
    inside = [each for each in _chunks(content, _FRAME_HEAD) if each[0] in _IN_FRAME]
    return kind, content[:_FRAME_HEAD] + b"".join(_chunk(*each) for each in inside)


def _extended(content: bytes, orientation: int) -> Chunk:
    flags = content[0] & ~(_HAS_EXIF | _HAS_XMP)
    if orientation != UPRIGHT:
        flags |= _HAS_EXIF
    return _EXTENDED, bytes((flags,)) + content[1:]


def _size(kind: bytes, content: bytes) -> tuple[int, int]:
    if kind == _EXTENDED and len(content) >= 10:
        width, height = (int.from_bytes(content[n : n + 3], "little") + 1 for n in (4, 7))
    elif kind == _LOSSLESS and len(content) >= 5 and content[0] == 0x2F:
        bits = int.from_bytes(content[1:5], "little")
        width, height = (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    elif kind == _LOSSY and len(content) >= 10 and content[3:6] == b"\x9d\x01\x2a":
        width, height = (n & 0x3FFF for n in struct.unpack_from("<HH", content, 6))
    else:
        raise NotAnImage
    if not width or not height:
        raise NotAnImage
    return width, height
