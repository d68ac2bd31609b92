"""GIF (89a): the blocks of pictures, delays and the loop count are kept."""

from __future__ import annotations

import struct

from masthead_media.formats.picture import MAX_FRAMES, NotAnImage, Picture

SIGNATURE = b"GIF8"

_EXTENSION, _IMAGE, _TRAILER, _PADDING = 0x21, 0x2C, 0x3B, 0x00
_CONTROL, _APPLICATION = 0xF9, 0xFF
_LOOPS = (b"NETSCAPE2.0", b"ANIMEXTS1.0")
_HEADER = 13
_MAX_BLOCKS = 250_000
"""The maximum number of blocks, sub-blocks and bytes of padding."""


def read(data: bytes) -> Picture:
    """Parse a file.

    :raises NotAnImage: if it is damaged or truncated.
    """
    return _Blocks(data).read()


class _Blocks:
    """A parser of the blocks of a file."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._kept: list[bytes] = []
        self._control = b""
        self._frames = self._blocks = 0
        self._width = self._height = 0

    def read(self) -> Picture:
        """Parse all blocks."""
        data = self._data
        if data[:6] not in (b"GIF87a", b"GIF89a") or len(data) < _HEADER:
            raise NotAnImage
        self._width, self._height = struct.unpack_from("<HH", data, 6)
        at = _HEADER + _table_length(data[10])
        self._kept.append(data[:at])
        while (kind := self._byte(at)) != _TRAILER:
            self._count_block()
            if kind == _IMAGE:
                at = self._image(at)
            elif kind == _EXTENSION:
                at = self._extension(at)
            elif kind == _PADDING:
                at += 1
            else:
                raise NotAnImage
        if not (self._frames and self._width and self._height):
            raise NotAnImage
        content = b"".join((*self._kept, b";"))
        return Picture("GIF", "image/gif", "gif", self._width, self._height, content, self._frames)

    def _image(self, at: int) -> int:
        header = self._data[at : at + 10]
        if len(header) < 10 or self._frames == MAX_FRAMES:
            raise NotAnImage
        left, top, width, height = struct.unpack_from("<HHHH", header, 1)
        # Decoders enlarge the screen to a frame that exceeds it.
        self._width = max(self._width, left + width)
        self._height = max(self._height, top + height)
        end = self._end_of_blocks(at + 10 + _table_length(header[9]) + 1)
        self._kept += (self._control, self._data[at:end])
        self._control = b""
        self._frames += 1
        return end

    def _extension(self, at: int) -> int:
        label, end = self._byte(at + 1), self._end_of_blocks(at + 2)
        block = self._data[at:end]
        if label == _CONTROL:
            self._control = block
        elif label == _APPLICATION and block[3:14] in _LOOPS and block[14:16] == b"\x03\x01":
            self._kept.append(block[:18] + b"\0")
        return end

    def _end_of_blocks(self, at: int) -> int:
        """Return the end of the chain of sub-blocks that starts at ``at``."""
        while length := self._byte(at):
            self._count_block()
            at += 1 + length
        return at + 1

    def _count_block(self) -> None:
        self._blocks += 1
        if self._blocks > _MAX_BLOCKS:
            raise NotAnImage

    def _byte(self, at: int) -> int:
        if at >= len(self._data):
            raise NotAnImage
        return self._data[at]


def _table_length(flags: int) -> int:
    """Return the number of bytes of the colour table that the flags of a header announce."""
    return 3 * 2 ** ((flags & 0x07) + 1) if flags & 0x80 else 0
