"""ReplyParser of a relay: cut out of what arrives, and what they mean."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_MAX_SIZE = 64 * 1024
_MAX_SHOWN = 300
_ENHANCED_STATUS_CODE = re.compile(r"([245]\.\d{1,3}\.\d{1,3})(?:\s|$)")
_SENDER_STATUS_CODES = ("5.1.7", "5.1.8")
"""Codes about an address that mean the sender's, not the recipient's."""


class ProtocolError(Exception):
    """The relay says what no relay may say."""


class Reply(NamedTuple):
    """A whole reply."""

    code: int
    text: str
    """Its lines without their codes, joined by line ends."""

    @property
    def is_positive(self) -> bool:
        """Whether what was asked for is done."""
        return 200 <= self.code < 300

    @property
    def is_transient(self) -> bool:
        """Whether asking again later may help."""
        return 400 <= self.code < 500

    @property
    def is_closing(self) -> bool:
        """Whether the relay ends the connection with it."""
        return self.code == 421

    @property
    def is_permanent_address_failure(self) -> bool:
        """Whether it says that the recipient's address is wrong for good (RFC 3463)."""
        enhanced = _ENHANCED_STATUS_CODE.match(self.text)
        return (
            self.code >= 500
            and enhanced is not None
            and enhanced[1].startswith("5.1.")
            and enhanced[1] not in _SENDER_STATUS_CODES
        )

    def __str__(self) -> str:
        """In one line, as it is shown to staff."""
        printable = "".join(c if c.isprintable() else " " for c in self.text)
        return f"{self.code} {' '.join(printable.split())}"[:_MAX_SHOWN]


class ReplyParser:
    """Cuts replies out of what arrives."""

    def __init__(self) -> None:
        self._incomplete_line = b""
        self._lines: list[str] = []

    def feed(self, octets: bytes) -> Iterator[Reply]:
        """The replies that are complete now, each as soon as it is asked for.

        :raises ProtocolError: for what is no reply, after those before it.
        """
        *lines, self._incomplete_line = (self._incomplete_line + octets).split(b"\n")
        for line in lines:
            reply = self._parse_line(line.rstrip(b"\r"))
            if reply is not None:
                yield reply
        if len(self._incomplete_line) + sum(map(len, self._lines)) > _MAX_SIZE:
            raise ProtocolError("a reply without end")

    def _parse_line(self, line: bytes) -> Reply | None:
        code, mark, text = line[:3], line[3:4], line[4:].decode("utf-8", "replace")
        if not (code.isdigit() and len(code) == 3 and mark in (b" ", b"-", b"")):
            raise ProtocolError(f"not a reply: {line[:80]!r}")
        self._lines.append(text)
        if mark == b"-":
            return None
        reply = Reply(int(code), "\n".join(self._lines))
        self._lines = []
        return reply
