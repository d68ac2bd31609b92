"""PNG (third edition): the chunks that determine the picture's appearance are kept."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator

from masthead_media.formats.picture import MAX_FRAMES, NotAnImage, Picture, oriented_size
from masthead_media.formats.tiff import UPRIGHT, read_orientation, write_orientation

SIGNATURE = b"\x89PNG\r\n\x1a\n"

_HEADER, _DATA, _END = b"IHDR", b"IDAT", b"IEND"
_CONTROL, _FRAME, _FRAME_DATA = b"acTL", b"fcTL", b"fdAT"
_EXIF = b"eXIf"
_COLOURS = (b"cHRM", b"gAMA", b"iCCP", b"sBIT", b"sRGB", b"cICP", b"mDCV", b"cLLI")
_SHAPE = (b"PLTE", b"tRNS", b"bKGD", b"pHYs", b"sPLT", b"hIST")
_PICTURE = frozenset((_HEADER, _DATA, _END, *_COLOURS, *_SHAPE))
_ANIMATION = frozenset((_CONTROL, _FRAME, _FRAME_DATA))
_REPEATED = frozenset((_DATA, _FRAME, _FRAME_DATA, b"sPLT"))
"""The chunks that a file may have several of; decoders unpack each colour profile."""
_MAX_CHUNKS = 50_000
_PIECE, _BLOCK = 64 * 1024, 256 * 1024
_CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
# First column, first row, columns and rows from one to the next (section 8.2).
_ADAM7 = (
    *((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4)),
    *((0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)),
)

Chunk = tuple[bytes, bytes]


def read(data: bytes) -> Picture:
    """Parse a file.

    :raises NotAnImage: if it is damaged or truncated.
    """
    chunks = _chunks(data)
    kinds = [kind for kind, _ in chunks]
    if kinds[0] != _HEADER or len(chunks[0][1]) != 13 or _DATA not in kinds:
        raise NotAnImage
    size: tuple[int, int] = struct.unpack_from(">II", chunks[0][1])
    if not all(size):
        raise NotAnImage
    orientation = next((read_orientation(c) for kind, c in chunks if kind == _EXIF), UPRIGHT)
    kept_kinds = _PICTURE | _ANIMATION if _CONTROL in kinds else _PICTURE
    kept = _without_repetitions([chunk for chunk in chunks if chunk[0] in kept_kinds])
    if orientation != UPRIGHT:
        kept.insert(1, (_EXIF, write_orientation(orientation)))
    width, height = oriented_size(*size, orientation)
    content = SIGNATURE + b"".join(_chunk(*each) for each in kept)
    frames = _frames([kind for kind, _ in kept])
    return Picture("PNG", "image/png", "png", width, height, content, frames)


def _without_repetitions(chunks: list[Chunk]) -> list[Chunk]:
    """Return the chunks without those that repeat a chunk of which a file may have one."""
    seen: set[bytes] = set()
    kept = []
    for kind, content in chunks:
        if kind in _REPEATED or kind not in seen:
            seen.add(kind)
            kept.append((kind, content))
    return kept


def _frames(kinds: list[bytes]) -> int:
    """Return the number of pictures; the static image need not be one of the frames."""
    frames = kinds.count(_FRAME)
    is_first = frames and kinds.index(_FRAME) < kinds.index(_DATA)
    return frames if is_first else frames + 1


def is_complete(data: bytes) -> bool:
    """Whether a parsed file has exactly the number of pixels that its header announces.

    Decoders accept missing and surplus data without an error. The pixels are unpacked block by
    block, to bound the memory.
    """
    chunks = _chunks(data)
    stream, left = zlib.decompressobj(), _unpacked_size(chunks[0][1])
    try:
        for piece in _packed_pieces(chunks):
            if stream.eof:
                return False
            for block in _unpack(stream, piece):
                left -= len(block)
                if left < 0:
                    return False
    except zlib.error:
        return False
    return stream.eof and not stream.unused_data and left == 0


def _packed_pieces(chunks: list[Chunk]) -> Iterator[bytes]:
    """Yield the packed pixels in small pieces, because each block copies the rest of its piece."""
    for kind, content in chunks:
        if kind == _DATA:
            for start in range(0, len(content), _PIECE):
                yield content[start : start + _PIECE]


def _unpack(stream: zlib._Decompress, piece: bytes) -> Iterator[bytes]:
    """Yield what a piece unpacks to, in blocks."""
    while True:
        block = stream.decompress(piece, _BLOCK)
        yield block
        piece = stream.unconsumed_tail
        if not piece and len(block) < _BLOCK:
            return


def _unpacked_size(header: bytes) -> int:
    """Return the number of bytes that the data unpacks to: each row has one byte for its filter."""
    width, height, depth, colour, _, _, interlaced = struct.unpack(">IIBBBBB", header)
    bits = depth * _CHANNELS.get(colour, 0)
    passes = _ADAM7 if interlaced else ((0, 0, 1, 1),)
    total = 0
    for left, top, every, line in passes:
        columns, rows = -(-(width - left) // every), -(-(height - top) // line)
        if columns > 0 and rows > 0:
            total += rows * (1 + -(-columns * bits // 8))
    return total


def _chunks(data: bytes) -> list[Chunk]:
    """Return type and content of each chunk up to the end chunk; bytes after it are dropped."""
    found: list[Chunk] = []
    at = len(SIGNATURE)
    frames = 0
    while len(found) < _MAX_CHUNKS and frames <= MAX_FRAMES:
        header = data[at : at + 8]
        if len(header) < 8:
            break
        length, kind = struct.unpack(">I4s", header)
        content, checksum = data[at + 8 : at + 8 + length], data[at + 8 + length : at + 12 + length]
        if checksum != zlib.crc32(content, zlib.crc32(kind)).to_bytes(4, "big"):
            break
        found.append((kind, content))
        frames += kind == _FRAME
        if kind == _END:
            return found
        at += 12 + length
    raise NotAnImage


def _chunk(kind: bytes, content: bytes) -> bytes:
    checksum = zlib.crc32(content, zlib.crc32(kind))
    return struct.pack(">I4s", len(content), kind) + content + struct.pack(">I", checksum)
