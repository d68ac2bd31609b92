"""The connection of a response that stays open: the main thread sends its parts."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from masthead.server.channel import Channel

_MOST_UNSENT = 256 * 1024
"""The number of bytes that may wait for a client; one that reads too slowly is disconnected."""


class HeldConnection:
    """Sends further parts of a response; any thread may call it."""

    def __init__(self, channel: Channel, *, chunked: bool) -> None:
        self._channel = channel
        self._chunked = chunked

    def send(self, data: bytes) -> None:
        """Send a further part of the body soon."""
        framed = b"%x\r\n%b\r\n" % (len(data), data) if self._chunked else data
        self._channel.server.call_soon(lambda: self._write(framed))

    def end(self) -> None:
        """End the response, and close the connection."""
        self._channel.server.call_soon(self._end)

    def _write(self, data: bytes) -> None:
        channel = self._channel
        if not channel.connected:
            return
        if channel.total_outbufs_len > _MOST_UNSENT:
            channel.handle_close()
            return
        channel.last_activity = time.time()
        channel.write_soon(data)
        channel.handle_write()

    def _end(self) -> None:
        if self._channel.connected:
            self._channel.close_when_flushed = True
            self._write(b"0\r\n\r\n" if self._chunked else b"")
