"""Messages arrive whole, or are refused."""

from __future__ import annotations

import socket
import struct
from collections.abc import Iterator
from io import BufferedRWPair

import pytest

from masthead_media.decoding.messages import receive, send


@pytest.fixture
def channels() -> Iterator[tuple[BufferedRWPair, BufferedRWPair]]:
    ours, theirs = socket.socketpair()
    with ours, theirs, ours.makefile("rwb") as near, theirs.makefile("rwb") as far:
        yield near, far


def test_a_message_has_a_header_and_bytes(channels: tuple[BufferedRWPair, BufferedRWPair]) -> None:
    near, far = channels

    for content in (b"", b"\0\xff" * 1000):
        send(near, {"name": "\udc80 é"}, content)
        assert receive(far, len(content)) == ({"name": "\udc80 é"}, content)


def test_a_message_that_is_too_long_is_refused(
    channels: tuple[BufferedRWPair, BufferedRWPair],
) -> None:
    near, far = channels
    send(near, {}, b"12")

    with pytest.raises(ValueError, match="too long"):
        receive(far, 1)


@pytest.mark.parametrize("head", [2**31, 65_537])
def test_a_header_that_is_too_long_is_refused(
    head: int, channels: tuple[BufferedRWPair, BufferedRWPair]
) -> None:
    near, far = channels
    near.write(struct.pack(">II", head, 0))
    near.flush()

    with pytest.raises(ValueError, match="too long"):
        receive(far, 1)


def test_the_end_of_the_other_side_is_noticed() -> None:
    ours, theirs = socket.socketpair()
    with theirs, theirs.makefile("rwb") as far:
        with ours, ours.makefile("rwb") as near:
            near.write(struct.pack(">II", 2, 5) + b"{}")
        with pytest.raises(EOFError):
            receive(far, 5)
