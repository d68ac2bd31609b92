"""WebP (RFC 9649): the RIFF chunks that the picture is decoded from are kept."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from masthead_media.formats.picture import MAX_FRAMES, NotAnImage, Picture, oriented_size
from masthead_media.formats.tiff import UPRIGHT, read_orientation, write_orientation

SIGNATURE = b"RIFF"

_EXTENDED, _LOSSY, _LOSSLESS, _ALPHA = b"VP8X", b"VP8 ", b"VP8L", b"ALPH"
_FRAME, _EXIF = b"ANMF", b"EXIF"
_KEPT = frozenset((_EXTENDED, b"ICCP", b"ANIM", _FRAME, _ALPHA, _LOSSY, _LOSSLESS))
_IN_FRAME = frozenset((_ALPHA, _LOSSY, _LOSSLESS))
_FRAME_HEADER = 16
_HAS_EXIF, _HAS_XMP = 0x08, 0x04
_MAX_CHUNKS, _MAX_CHUNKS_IN_FRAME = 20_000, 20
# Some encoders write the prefix of JPEG's EXIF segments here too.
_PREFIX = b"Exif\0\0"

Chunk = tuple[bytes, bytes]


def read(data: bytes) -> Picture:
    """Parse a file.

    :raises NotAnImage: if it is damaged or truncated.
    """
    length = int.from_bytes(data[4:8], "little") + 8
    if data[8:12] != b"WEBP" or length > len(data):
        raise NotAnImage
    chunks = list(_chunks(data[:length], 12, _MAX_CHUNKS))
    if not chunks:
        raise NotAnImage
    kind, first = chunks[0]
    size = _size(kind, first)
    orientation = UPRIGHT
    kept = [chunks[0]]
    if kind == _EXTENDED:
        exif = (content.removeprefix(_PREFIX) for kind, content in chunks if kind == _EXIF)
        orientation = next(map(read_orientation, exif), UPRIGHT)
        kept = [_extended(first, orientation), *map(_clean, chunks[1:])]
        kept = [chunk for chunk in kept if chunk[0] in _KEPT]
    if orientation != UPRIGHT:
        kept.append((_EXIF, write_orientation(orientation)))
    body = b"WEBP" + b"".join(_chunk(*each) for each in kept)
    content = struct.pack("<4sI", SIGNATURE, len(body)) + body
    width, height = oriented_size(*size, orientation)
    frames = max(1, sum(kind == _FRAME for kind, _ in kept))
    return Picture("WEBP", "image/webp", "webp", width, height, content, frames)


def _chunks(data: bytes, at: int, most: int) -> Iterator[Chunk]:
    """Yield type and content of each chunk from ``at`` on.

    :raises NotAnImage: if there are more chunks than ``most``, or too many frames.
    """
    frames = 0
    for _ in range(most + 1):
        if at >= len(data):
            return
        header = data[at : at + 8]
        if len(header) < 8:
            raise NotAnImage
        kind, length = struct.unpack("<4sI", header)
        content = data[at + 8 : at + 8 + length]
        frames += kind == _FRAME
        if len(content) < length or frames > MAX_FRAMES:
            raise NotAnImage
        yield kind, content
        at += 8 + length + length % 2
    raise NotAnImage


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack("<4sI", kind, len(content)) + content + b"\0" * (len(content) % 2)


def _clean(chunk: Chunk) -> Chunk:
    """Drop the unknown chunks that are nested in a frame."""
    kind, content = chunk
    if kind != _FRAME:
        return chunk
    nested = _chunks(content, _FRAME_HEADER, _MAX_CHUNKS_IN_FRAME)
    inside = [each for each in nested if each[0] in _IN_FRAME]
    return kind, content[:_FRAME_HEADER] + b"".join(_chunk(*each) for each in inside)


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
