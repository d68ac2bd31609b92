"""The decoder of bodies that are sent in chunks (RFC 9112 section 7.1)."""

from __future__ import annotations

import re
from typing import IO, Any

from waitress.utilities import BadRequest, Error

_MAX_LINE = 4096
"""The maximum number of bytes in the line before a chunk, and in the trailer."""
# A size of 15 digits is larger than every body.
_LINE = re.compile(rb"([0-9A-Fa-f]{1,15})(?:;[\t\x20-\x7e\x80-\xff]*)?")


class Chunks:
    """Receives a body in chunks; waitress calls it.

    waitress's own decoder copies the rest of the received bytes after each chunk.
    """

    def __init__(self, buffer: Any) -> None:
        self._buffer = buffer
        self._pending = b""
        """The bytes of an incomplete line."""
        self._left = 0
        """The number of bytes of the current chunk that are still to come."""
        self._step = self._read_line
        self._data: list[bytes] = []
        self.completed = False
        self.error: Error | None = None

    def __len__(self) -> int:
        """Return the number of decoded bytes."""
        return int(self._buffer.__len__())

    def received(self, data: bytes) -> int:
        """Decode bytes and return how many of them belong to this body."""
        held = len(self._pending)
        data, at = self._pending + data, 0
        self._pending = b""
        while at < len(data) and not (self.completed or self.error):
            after = self._step(data, at)
            if after is None:
                self._hold(data[at:])
                at = len(data)
            else:
                at = after
        if self._data:
            self._buffer.append(b"".join(self._data))
            self._data = []
        return max(at - held, 0)

    def getfile(self) -> IO[bytes]:
        """Return the decoded body as a file."""
        file: IO[bytes] = self._buffer.getfile()
        return file

    def getbuf(self) -> Any:
        """Return the buffer of the decoded body."""
        return self._buffer

    def _hold(self, rest: bytes) -> None:
        if len(rest) > _MAX_LINE:
            self.error = BadRequest("Chunk header or trailer is too long")
        self._pending = rest

    # Each step returns the position after the bytes that it has read, or None if it needs more.

    def _read_line(self, data: bytes, at: int) -> int | None:
        end = data.find(b"\r\n", at)
        if end < 0:
            return None
        line = _LINE.fullmatch(data, at, end)
        if line is None or end - at > _MAX_LINE:
            self.error = BadRequest("Invalid chunk size")
            return end
        self._left = int(line[1], 16)
        self._step = self._read_data if self._left else self._read_trailer
        return end + 2

    def _read_data(self, data: bytes, at: int) -> int | None:
        piece = data[at : at + self._left]
        self._data.append(piece)
        self._left -= len(piece)
        if not self._left:
            self._step = self._read_end
        return at + len(piece)

    def _read_end(self, data: bytes, at: int) -> int | None:
        if len(data) - at < 2 and data.startswith(b"\r", at):
            return None
        if not data.startswith(b"\r\n", at):
            self.error = BadRequest("Chunk not properly terminated")
            return at
        self._step = self._read_line
        return at + 2

    def _read_trailer(self, data: bytes, at: int) -> int | None:
        if data.startswith(b"\r\n", at):
            self.completed = True
            return at + 2
        end = data.find(b"\r\n\r\n", at)
        if end < 0:
            return None
        if end - at > _MAX_LINE:
            self.error = BadRequest("Chunk header or trailer is too long")
        self.completed = True
        return end + 4
