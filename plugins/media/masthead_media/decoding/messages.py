"""Messages between the server and a decoder: a header in JSON, followed by bytes.

They are not pickled, because a decoder that a damaged image has taken over must not be able to run
code in the server.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from io import BufferedRWPair
from typing import Any

_LENGTHS = struct.Struct(">II")
_MAX_HEADER = 64 * 1024


def send(channel: BufferedRWPair, header: Mapping[str, Any], content: bytes = b"") -> None:
    """Send a message."""
    head = json.dumps(header).encode()
    channel.write(_LENGTHS.pack(len(head), len(content)) + head)
    channel.write(content)
    channel.flush()


def receive(channel: BufferedRWPair, max_content: int) -> tuple[dict[str, Any], bytes]:
    """Return header and content of the next message.

    :raises EOFError: if the other side has ended.
    :raises ValueError: if the message is too long, or isn't one.
    """
    head, content = _LENGTHS.unpack(_read(channel, _LENGTHS.size))
    if head > _MAX_HEADER or content > max_content:
        raise ValueError("The message is too long")
    header: dict[str, Any] = json.loads(_read(channel, head))
    return header, _read(channel, content)


def _read(channel: BufferedRWPair, length: int) -> bytes:
    read = channel.read(length)
    if len(read) < length:
        raise EOFError
    return read
