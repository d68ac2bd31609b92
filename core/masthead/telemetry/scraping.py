"""The small server on the metrics' own port."""

from __future__ import annotations

import logging
import socket
import sys
import threading
from collections.abc import Callable, Iterable
from socketserver import BaseServer
from typing import IO, cast
from wsgiref.simple_server import ServerHandler, WSGIRequestHandler, WSGIServer
from wsgiref.types import StartResponse, WSGIEnvironment

logger = logging.getLogger(__name__)

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_SECONDS = 5.0
"""The time that a client has for its request, because one after the other is answered."""


def answer_scrapes(listener: socket.socket, text: Callable[[], bytes]) -> None:
    """Answer ``GET /metrics`` on a listening socket in a thread; other paths are 404.

    Several processes may share the socket: one of them answers.

    :param text: returns the metrics in Prometheus's text format.
    """
    listener.setblocking(False)
    address = listener.getsockname()[:2]
    server = _Server(address, _Handler, bind_and_activate=False)
    server.socket.close()
    server.socket = listener
    server.server_name, server.server_port = address
    server.setup_environ()
    server.set_app(_Scrapes(text))
    threading.Thread(target=server.serve_forever, name="scrapes", daemon=True).start()


class _Scrapes:
    def __init__(self, text: Callable[[], bytes]) -> None:
        self._text = text

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        is_known = environ["PATH_INFO"] == "/metrics" and environ["REQUEST_METHOD"] == "GET"
        status, body = ("200 OK", self._text()) if is_known else ("404 Not Found", b"Not found\n")
        headers = [("Content-Type", CONTENT_TYPE), ("Content-Length", str(len(body)))]
        start_response(status, headers)
        return [body]


class _Server(WSGIServer):
    def get_request(self) -> tuple[socket.socket, tuple[str, int]]:
        # The socket doesn't block, because another process may be faster.
        connection, address = self.socket.accept()
        connection.setblocking(True)
        return connection, address

    # The arguments are those of socketserver's BaseServer.
    def handle_error(self, request: object, client_address: object) -> None:  # noqa: ARG002
        logger.warning("A scrape of the metrics failed: %r", sys.exc_info()[1])


class _QuietHandler(ServerHandler):
    server_software = "masthead"

    def log_exception(self, exc_info: object) -> None:
        # The base class declares less than it passes.
        logger.error("The metrics can't be shown", exc_info=exc_info)  # type: ignore[arg-type]


class _Handler(WSGIRequestHandler):
    timeout = _SECONDS
    server: BaseServer

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's
        """Write no line for each scrape."""

    def handle(self) -> None:
        """Answer one request."""
        self.raw_requestline = self.rfile.readline(8192)
        if not self.raw_requestline or not self.parse_request():
            return
        assert isinstance(self.server, WSGIServer)
        sent, answer = cast("IO[bytes]", self.rfile), cast("IO[bytes]", self.wfile)
        handler = _QuietHandler(sent, answer, self.get_stderr(), self.get_environ())
        # As wsgiref does it, for the log of the request.
        handler.request_handler = self  # type: ignore[attr-defined]
        application = self.server.get_app()
        assert application is not None
        handler.run(application)
