"""The parser of one request: strict, and bounded in time and size."""

from __future__ import annotations

from typing import Any

from waitress.buffers import OverflowableBuffer
from waitress.parser import HTTPRequestParser, ParsingError
from waitress.receiver import FixedStreamReceiver
from waitress.utilities import (
    BadRequest,
    Error,
    RequestEntityTooLarge,
    RequestHeaderFieldsTooLarge,
    ServerNotImplemented,
)

from masthead.http.environ import Handling, HandlingOf
from masthead.server.chunks import Chunks
from masthead.server.head import (
    UnknownVersionError,
    UnsupportedCodingError,
    check_host,
    connection_option,
    is_chunked,
    read_fields,
    read_length,
    read_request_line,
)

IN_MEMORY = 64 * 1024
"""The number of bytes of a body that stay in memory; larger bodies are stored in a file."""
_MAX_BLANK_LINES = 16
_END = b"\r\n\r\n"


class VersionNotSupported(BadRequest):  # type: ignore[misc]  # waitress has no types
    """The error for another version than HTTP/1.0 and HTTP/1.1."""

    code = 505
    reason = "HTTP Version Not Supported"


class Parser(HTTPRequestParser):  # type: ignore[misc]  # waitress has no types
    """Receives one request.

    A request with a large body, a body in chunks or a client that waits for ``100 Continue`` is
    held after its head: the parser keeps further bytes in ``held``, and the channel has the head
    checked before it reads on.

    :param handling_of: returns the ``Handling`` of a request. Without it no request is held.
    """

    completed: bool
    body_rcv: Chunks | Any
    # waitress reads them even for requests that are refused before they are known.
    command = "-"
    path = "-"
    immediate_answer: object = None
    """The response that the application has ready for the request, or None."""
    handling: Handling | None = None
    """The handling of a request with a body."""
    held: bytes | None = None
    """The bytes after the head while the request is held; otherwise None."""
    expects_continue = False
    """Whether the client waits for ``100 Continue`` before it sends the body."""

    def __init__(self, adj: Any, handling_of: HandlingOf | None = None) -> None:
        super().__init__(adj)
        self._handling_of = handling_of
        self._head = bytearray()
        self._blank_lines = 0

    def received(self, data: bytes) -> int:
        """Parse received bytes and return how many of them belong to this request."""
        if self.completed:
            return 0
        if self.held is not None:
            self.held += data
            return len(data)
        if self.body_rcv is None:
            return self._receive_head(data)
        consumed: int = super().received(data)
        # The length of another body is known from the head.
        limit = self.handling.max_body if self.handling else None
        if self.chunked and limit is not None and len(self.body_rcv) > limit:
            self._refuse(RequestEntityTooLarge(""))
        return consumed

    def release(self) -> bytes:
        """End the hold and return the held bytes."""
        held, self.held = self.held or b"", None
        return held

    def _refuse(self, error: Error) -> None:
        self.error = error
        self.completed = True

    def _receive_head(self, data: bytes) -> int:
        head = self._head
        head += data
        while head.startswith(b"\r\n"):
            del head[:2]
            self._blank_lines += 1
        end = head.find(_END, max(0, len(head) - len(data) - len(_END)))
        size = len(head) if end < 0 else end + len(_END)
        # waitress's limit is the first size that is too large.
        if size >= self.adj.max_request_header_size:
            self._refuse(RequestHeaderFieldsTooLarge(""))
        elif self._blank_lines > _MAX_BLANK_LINES:
            self._refuse(BadRequest("Too many blank lines before the request"))
        elif end >= 0:
            rest = bytes(head[size:])
            self._finish_head(bytes(head[:end]))
            if self.held is None:
                return len(data) - len(rest)
            self.held = rest
        return len(data)

    def _finish_head(self, head: bytes) -> None:
        self.headers_finished = True
        try:
            self.parse_header(head)
        except UnknownVersionError as error:
            self._refuse(VersionNotSupported(str(error)))
        except UnsupportedCodingError as error:
            self._refuse(ServerNotImplemented(str(error)))
        except ParsingError as error:
            self._refuse(BadRequest(str(error)))
        else:
            if self.content_length >= self.adj.max_request_body_size:
                self._refuse(RequestEntityTooLarge(""))
            elif self.body_rcv is None:
                self.completed = True
            else:
                self._begin_body()

    def _begin_body(self) -> None:
        if self._handling_of is None:
            self.expect_continue = self.expects_continue
            return
        self.handling = self._handling_of(self.command, self.path, self.query)
        if self.chunked or self.expects_continue or self.content_length > IN_MEMORY:
            self.held = b""

    def parse_header(self, head: bytes) -> None:
        """Parse the request line and the headers, and set the attributes that waitress reads.

        :raises ParsingError: if they are malformed, or if a server in front could interpret the
            framing differently.
        """
        first, *lines = head.split(b"\r\n")
        line = read_request_line(first)
        self.command, self.version = line.method, line.version
        self.path, self.query = line.split()
        self.request_uri = line.target.decode()
        self.url_scheme = self.adj.url_scheme
        self.headers = fields = read_fields(lines)
        check_host(line.version, fields)
        option = connection_option(fields) if "CONNECTION" in fields else ""
        if option:
            # waitress compares the whole header.
            fields["CONNECTION"] = option
        self.connection_close = option == "close" or (
            line.version == "1.0" and option != "keep-alive"
        )
        self._parse_framing()

    def _parse_framing(self) -> None:
        self.chunked = is_chunked(self.version, self.headers)
        self.content_length = 0 if self.chunked else read_length(self.headers)
        if not (self.chunked or self.content_length):
            return
        buffer = OverflowableBuffer(self.adj.inbuf_overflow)
        if self.chunked:
            # The application gets the decoded body.
            del self.headers["TRANSFER_ENCODING"]
            self.body_rcv = Chunks(buffer)
        else:
            self.body_rcv = FixedStreamReceiver(self.content_length, buffer)
        expectation = self.headers.get("EXPECT", "").lower()
        self.expects_continue = self.version == "1.1" and expectation == "100-continue"
