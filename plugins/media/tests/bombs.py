"""Small files that need much work to decode: images in which one unit is repeated."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable
from io import BytesIO
from typing import Any

from PIL import Image

PNG = b"\x89PNG\r\n\x1a\n"


def saved(form: str, size: tuple[int, int] = (8, 8), mode: str = "RGB", **options: Any) -> bytes:
    """Return an image of one colour."""
    file = BytesIO()
    Image.new(mode, size, 100 if mode in ("L", "P") else "teal").save(file, form, **options)
    return file.getvalue()


def chunk(kind: bytes, content: bytes) -> bytes:
    """Return a chunk of a PNG."""
    checksum = zlib.crc32(content, zlib.crc32(kind))
    return struct.pack(">I4s", len(content), kind) + content + struct.pack(">I", checksum)


def riff(kind: bytes, content: bytes) -> bytes:
    """Return a chunk of a WebP."""
    return struct.pack("<4sI", kind, len(content)) + content + b"\0" * (len(content) % 2)


def jpeg_scans(count: int, size: tuple[int, int] = (8, 8)) -> bytes:
    """Return a progressive JPEG whose last scan is repeated, so that it has ``count`` scans."""
    whole = saved("JPEG", size, progressive=True)
    last = whole[whole.rindex(b"\xff\xda") : -2]
    return whole[:-2] + last * (count - whole.count(b"\xff\xda")) + b"\xff\xd9"


def jpeg_segments(count: int, marker: bytes = b"\xff\xfe", content: bytes = b"\0\2") -> bytes:
    """Return a JPEG with additional segments."""
    whole = saved("JPEG")
    return whole[:2] + (marker + content) * count + whole[2:]


def jpeg_tables(count: int) -> bytes:
    """Return a JPEG that defines its quantisation tables again and again."""
    whole = saved("JPEG")
    start = whole.index(b"\xff\xdb")
    end = start + 2 + int.from_bytes(whole[start + 2 : start + 4], "big")
    return whole[:end] + whole[start:end] * count + whole[end:]


def jpeg_restarts(count: int) -> bytes:
    """Return a JPEG with superfluous restart markers behind its pixels."""
    return saved("JPEG")[:-2] + b"\xff\xd0" * count + b"\xff\xd9"


def _gif(*blocks: bytes) -> bytes:
    whole = saved("GIF", (1, 1), "P")
    return whole[:-1] + b"".join(blocks) + b";"


def gif_frames(count: int) -> bytes:
    """Return a GIF of frames of one pixel."""
    whole = saved("GIF", (1, 1), "P")
    return _gif(whole[whole.index(b",") : -1] * (count - 1))


def gif_extensions(count: int) -> bytes:
    """Return a GIF with empty comments."""
    return _gif(b"!\xfe\0" * count)


def gif_blocks(count: int) -> bytes:
    """Return a GIF with a comment in blocks of one byte."""
    return _gif(b"!\xfe" + b"\1a" * count + b"\0")


def gif_pixel_blocks(count: int) -> bytes:
    """Return a GIF with superfluous blocks of one byte behind its pixels."""
    whole = saved("GIF", (1, 1), "P")
    return whole[:-2] + b"\1\0" * count + b"\0;"


def gif_padding(count: int) -> bytes:
    """Return a GIF with empty bytes between its blocks."""
    return _gif(bytes(count))


def _png(*extra: bytes, data: bytes = b"", side: int = 1, interlaced: int = 0) -> bytes:
    header = struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, interlaced)
    data = data or chunk(b"IDAT", zlib.compress(bytes(side * (side + 1))))
    return b"".join((PNG, chunk(b"IHDR", header), *extra, data, chunk(b"IEND", b"")))


def png_chunks(count: int) -> bytes:
    """Return a PNG with empty texts."""
    return _png(chunk(b"tEXt", b"a\0") * count)


def png_data_chunks(count: int) -> bytes:
    """Return a PNG with empty chunks of pixels."""
    return _png(data=chunk(b"IDAT", zlib.compress(bytes(2))) + chunk(b"IDAT", b"") * count)


def png_frames(count: int) -> bytes:
    """Return an animated PNG of frames of one pixel."""
    pixels = zlib.compress(bytes(2))
    control = struct.pack(">IIIIHHBB", 1, 1, 0, 0, 1, 10, 0, 0)
    frames = [
        chunk(b"fcTL", struct.pack(">I", 2 * n - 1) + control)
        + chunk(b"fdAT", struct.pack(">I", 2 * n) + pixels)
        for n in range(1, count)
    ]
    first = chunk(b"fcTL", bytes(4) + control)
    data = b"".join((chunk(b"IDAT", pixels), *frames))
    return _png(chunk(b"acTL", struct.pack(">II", count, 0)), first, data=data)


def png_profiles(count: int) -> bytes:
    """Return a PNG with colour profiles that unpack to a megabyte each."""
    profile = b"a\0\0" + zlib.compress(bytes(1024 * 1024 - 1))
    return _png(chunk(b"iCCP", profile) * count)


def _webp(canvas: tuple[int, int], flags: int, *chunks: bytes) -> bytes:
    sizes = b"".join((side - 1).to_bytes(3, "little") for side in canvas)
    body = b"WEBP" + riff(b"VP8X", bytes([flags, 0, 0, 0]) + sizes) + b"".join(chunks)
    return struct.pack("<4sI", b"RIFF", len(body)) + body


def _webp_pixels(size: tuple[int, int] = (1, 1)) -> bytes:
    return saved("WEBP", size, lossless=True)[12:]


def webp_chunks(count: int) -> bytes:
    """Return a WebP with unknown chunks."""
    return _webp((1, 1), 0, _webp_pixels(), riff(b"none", b"") * count)


def _webp_frame(inside: bytes) -> bytes:
    return riff(b"ANMF", bytes(12) + b"\x64\0\0\0" + inside)


def webp_frames(count: int) -> bytes:
    """Return an animated WebP of frames of one pixel."""
    return _webp((1, 1), 2, riff(b"ANIM", bytes(6)), _webp_frame(_webp_pixels()) * count)


def webp_nested_chunks(count: int) -> bytes:
    """Return an animated WebP with unknown chunks in its frame."""
    inside = _webp_pixels() + riff(b"none", b"") * count
    return _webp((1, 1), 2, riff(b"ANIM", bytes(6)), _webp_frame(inside))


UNITS: dict[str, tuple[Callable[[int], bytes], int]] = {
    "scans of a JPEG": (jpeg_scans, 100),
    "segments of a JPEG": (jpeg_segments, 2_000),
    "tables of a JPEG": (jpeg_tables, 2_000),
    "frames of a GIF": (gif_frames, 2_000),
    "extensions of a GIF": (gif_extensions, 250_000),
    "blocks of a GIF's comment": (gif_blocks, 250_000),
    "blocks of a GIF's pixels": (gif_pixel_blocks, 250_000),
    "padding of a GIF": (gif_padding, 250_000),
    "chunks of a PNG": (png_chunks, 50_000),
    "chunks of a PNG's pixels": (png_data_chunks, 50_000),
    "frames of a PNG": (png_frames, 2_000),
    "chunks of a WebP": (webp_chunks, 20_000),
    "chunks in a frame of a WebP": (webp_nested_chunks, 20),
    "frames of a WebP": (webp_frames, 2_000),
}
"""By unit: a function that repeats it, and the maximum number of repetitions."""
