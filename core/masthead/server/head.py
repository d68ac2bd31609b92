"""The head of a request: parsed strictly (RFC 9112), in time that is linear in its size.

waitress matches header lines with patterns that need quadratic time for some of them.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import unquote_to_bytes

from waitress.parser import ParsingError, split_uri

# Each pattern is one class of characters, or several that exclude each other, so that no text can
# match in two ways.
_TOKEN = re.compile(rb"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_VALUE = re.compile(rb"[\t\x20-\x7e\x80-\xff]*")
_TARGET = re.compile(rb"[\x21-\x7e]+")
_VERSION = re.compile(rb"HTTP/([0-9]\.[0-9])")
_HOST = re.compile(r"(?:[\w.~%!$&'()*+,;=-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{0,5})?", re.ASCII)
_LENGTH = re.compile(r"[0-9]+", re.ASCII)
_MAX_LENGTH_DIGITS = 18


class UnknownVersionError(ParsingError):  # type: ignore[misc]  # waitress has no types
    """The version of HTTP is neither 1.0 nor 1.1."""


class UnsupportedCodingError(ParsingError):  # type: ignore[misc]  # waitress has no types
    """The body has a transfer coding other than ``chunked``."""


@dataclass(frozen=True)
class RequestLine:
    """The first line of a request."""

    method: str
    target: bytes
    version: str

    def split(self) -> tuple[str, str]:
        """Return the decoded path and the query, as WSGI expects them.

        :raises ParsingError: if the target has another form than the method allows.
        """
        target = self.target
        if target.startswith(b"/"):
            path, _, query = target.partition(b"#")[0].partition(b"?")
            return unquote_to_bytes(path).decode("latin-1"), query.decode("latin-1")
        if target == b"*" and self.method == "OPTIONS":
            return "*", ""
        if not target.lower().startswith((b"http://", b"https://")):
            raise ParsingError("Malformed address")
        try:
            _, _, path, query, _ = split_uri(target)
        except ValueError as error:
            raise ParsingError("Malformed address") from error
        return path or "/", query


def read_request_line(line: bytes) -> RequestLine:
    """Parse the first line.

    :raises ParsingError: if it is malformed.
    :raises UnknownVersionError: for another version of HTTP.
    """
    method, _, rest = line.partition(b" ")
    target, _, protocol = rest.partition(b" ")
    version = _VERSION.fullmatch(protocol)
    if not (version and _TOKEN.fullmatch(method) and _TARGET.fullmatch(target)):
        raise ParsingError("Start line is invalid")
    if version[1] not in (b"1.0", b"1.1"):
        raise UnknownVersionError("Only HTTP/1.0 and HTTP/1.1 are supported")
    if method != method.upper():
        raise ParsingError("Malformed HTTP method")
    return RequestLine(method.decode(), target, version[1].decode())


def read_fields(lines: Iterable[bytes]) -> dict[str, str]:
    """Parse the header lines.

    :returns: the values by name, in capitals and with underscores as in a WSGI environ. Values of
        equal names are joined with commas; names that contain an underscore are ignored.
    :raises ParsingError: if a line is malformed or continues the one before it.
    """
    fields: dict[str, list[str]] = {}
    for line in lines:
        name, colon, value = line.partition(b":")
        if not (colon and _TOKEN.fullmatch(name) and _VALUE.fullmatch(value)):
            raise ParsingError(_trouble(line))
        if b"_" not in name:
            key = name.upper().replace(b"-", b"_").decode()
            text = value.strip(b" \t").decode("latin-1")
            fields.setdefault(key, []).append(text)
    if len(fields.get("HOST", ())) > 1:
        raise ParsingError("Host is repeated")
    return {name: ", ".join(values) for name, values in fields.items()}


def _trouble(line: bytes) -> str:
    if b"\r" in line or b"\n" in line:
        return "Bare CR or LF found in header line"
    if line.startswith((b" ", b"\t")):
        return "A header line continues on the next line"
    return "Invalid header"


def check_host(version: str, fields: dict[str, str]) -> None:
    """Check the ``Host`` header (RFC 9112 section 3.2).

    :raises ParsingError: if it is invalid, or missing under HTTP/1.1.
    """
    host = fields.get("HOST")
    if host is None:
        if version == "1.1":
            raise ParsingError("Host is missing")
    elif not _HOST.fullmatch(host):
        raise ParsingError("Host is invalid")


def is_chunked(version: str, fields: dict[str, str]) -> bool:
    """Whether the body is sent in chunks (RFC 9112 section 6.1).

    :raises ParsingError: if the framing of the body is invalid, or if a server in front could
        interpret it differently.
    """
    coding = fields.get("TRANSFER_ENCODING")
    if coding is None:
        return False
    if version != "1.1":
        raise ParsingError("Transfer-Encoding needs HTTP/1.1")
    if "CONTENT_LENGTH" in fields:
        raise ParsingError("Content-Length and Transfer-Encoding exclude each other")
    codings = [each.strip(" \t").lower() for each in coding.split(",")]
    if codings == ["chunked"]:
        return True
    if set(codings) <= {"chunked", ""}:
        raise ParsingError("Transfer-Encoding is empty or repeated")
    raise UnsupportedCodingError("This Transfer-Encoding is not supported")


def read_length(fields: dict[str, str]) -> int:
    """Return the size of the body by ``Content-Length``; a number that is too large is cut.

    :raises ParsingError: if it is no number.
    """
    length = fields.get("CONTENT_LENGTH", "0")
    if not _LENGTH.fullmatch(length):
        raise ParsingError("Content-Length is invalid")
    digits = length.lstrip("0")
    return int(digits or "0") if len(digits) <= _MAX_LENGTH_DIGITS else sys.maxsize


def connection_option(fields: dict[str, str]) -> str:
    """Return the option of ``Connection`` that matters to the server; blank if there is none."""
    options = [each.strip(" \t") for each in fields.get("CONNECTION", "").lower().split(",")]
    return next((each for each in ("close", "keep-alive") if each in options), "")
