"""SMTP replies: parsing them, and classifying their codes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from masthead_email.failures import Failure, classify

_MAX_SIZE = 64 * 1024
_MAX_SHOWN = 300
_ENHANCED_STATUS_CODE = re.compile(r"([245]\.\d{1,3}\.\d{1,3})(?:\s|$)")

_TOO_MANY = re.compile(
    r"too (?:many|much|fast)|rate.?limit|throttl|sending rate|slow down", re.IGNORECASE
)


class ProtocolError(Exception):
    """The relay violates the protocol."""


def is_about_rate(words: str) -> bool:
    """Whether a relay says that it gets more messages than it allows in a time."""
    return "4.5.3" in words or bool(_TOO_MANY.search(words))


class Reply(NamedTuple):
    """A complete SMTP reply."""

    code: int
    text: str
    """Its lines without codes, joined by newlines."""

    @property
    def is_positive(self) -> bool:
        """Whether the command succeeded (2xx)."""
        return 200 <= self.code < 300

    @property
    def is_transient(self) -> bool:
        """Whether the failure is transient (4xx)."""
        return 400 <= self.code < 500

    @property
    def is_closing(self) -> bool:
        """Whether the relay closes the connection (421)."""
        return self.code == 421

    @property
    def status(self) -> str:
        """The enhanced status code, such as ``4.7.0``; blank if there is none."""
        found = _ENHANCED_STATUS_CODE.match(self.text)
        return found[1] if found else ""

    @property
    def concerns_relay(self) -> bool:
        """Whether a transient failure is the relay's state, not that of this message.

        The status codes 4.3.x are about the mail system, 4.5.3 about too many commands.
        """
        if not self.is_transient:
            return False
        if self.status:
            return self.is_closing or self.status == "4.5.3" or self.status.startswith("4.3.")
        return self.is_closing or bool(_TOO_MANY.search(self.text))

    @property
    def concerns_domain(self) -> bool:
        """Whether a transient failure says that the recipient's domain gets too much mail."""
        return self.is_transient and self.status.startswith("4.7.")

    @property
    def failure(self) -> Failure:
        """The class of a negative reply."""
        return classify(self.code, self.status or None, self.text)

    def __str__(self) -> str:
        """Return code and printable text on one line."""
        printable = "".join(c if c.isprintable() else " " for c in self.text)
        return f"{self.code} {' '.join(printable.split())}"[:_MAX_SHOWN]


class ReplyParser:
    """Parses a byte stream into replies."""

    def __init__(self) -> None:
        self._incomplete_line = b""
        self._lines: list[str] = []

    def feed(self, octets: bytes) -> Iterator[Reply]:
        """Yield the replies that are complete with these bytes.

        :raises ProtocolError: at the first invalid line, after the replies before it.
        """
        *lines, self._incomplete_line = (self._incomplete_line + octets).split(b"\n")
        for line in lines:
            reply = self._parse_line(line.rstrip(b"\r"))
            if reply is not None:
                yield reply
        if len(self._incomplete_line) + sum(map(len, self._lines)) > _MAX_SIZE:
            raise ProtocolError("the reply is too long")

    def _parse_line(self, line: bytes) -> Reply | None:
        code, mark, text = line[:3], line[3:4], line[4:].decode("utf-8", "replace")
        if not (code.isdigit() and len(code) == 3 and mark in (b" ", b"-", b"")):
            raise ProtocolError(f"invalid reply: {line[:80]!r}")
        self._lines.append(text)
        if mark == b"-":
            return None
        reply = Reply(int(code), "\n".join(self._lines))
        self._lines = []
        return reply
