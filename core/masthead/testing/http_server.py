"""A server on loopback that records the calls of a plugin and gives scripted replies."""

from __future__ import annotations

import json
import ssl
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Received:
    """A request that the server has received."""

    path: str
    headers: dict[str, str]
    """The values by the names in small letters."""
    body: bytes
    at: float
    """The time by ``time.monotonic()``."""

    @property
    def json(self) -> Any:
        """The body, parsed."""
        return json.loads(self.body)


@dataclass
class Reply:
    """The answer of the server."""

    status: int = 204
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    pause: float = 0
    """The seconds before the answer and after each of its bytes."""


class HttpServer:
    """The server; it answers each call in a thread of its own.

    Override :meth:`answer` for a server that answers as a certain service.
    """

    def __init__(
        self, host: str = "127.0.0.1", port: int = 0, tls: ssl.SSLContext | None = None
    ) -> None:
        self.received: list[Received] = []
        self.replies: list[Reply] = []
        """The replies to the next calls; ``answer`` makes the others."""
        self.under_way = 0
        """The number of calls that aren't answered yet."""
        self._server = ThreadingHTTPServer((host, port), _handler(self))
        self._server.daemon_threads = True
        if tls is not None:
            self._server.socket = tls.wrap_socket(self._server.socket, server_side=True)
        self.port = self._server.server_address[1]
        self.url = f"http://{host}:{self.port}"
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    def answer(self, received: Received) -> Reply:  # noqa: ARG002 - other servers use it
        """Return the reply to a call for which none is scripted."""
        return Reply()

    def reply(self, status: int = 204, **values: Any) -> None:
        """Give the next call without a reply this one."""
        self.replies.append(Reply(status, **values))

    def forget(self) -> None:
        """Forget all calls and replies."""
        self.received.clear()
        self.replies.clear()

    def close(self) -> None:
        """Stop the server."""
        self._server.shutdown()
        self._server.server_close()


def _handler(server: HttpServer) -> type[BaseHTTPRequestHandler]:
    """Return the class that answers the requests to a server."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            server.under_way += 1
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            headers = {name.lower(): value for name, value in self.headers.items()}
            received = Received(self.path, headers, body, time.monotonic())
            server.received.append(received)
            self._send(server.replies.pop(0) if server.replies else server.answer(received))
            server.under_way -= 1

        def do_GET(self) -> None:
            self.do_POST()

        def _send(self, reply: Reply) -> None:
            time.sleep(reply.pause)
            self.send_response(reply.status)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(reply.body)))
            self.end_headers()
            step = 1 if reply.pause else max(len(reply.body), 1)
            try:
                for start in range(0, len(reply.body), step):
                    self.wfile.write(reply.body[start : start + step])
                    time.sleep(reply.pause)
            except OSError:
                # The client has lost patience, as a test may want.
                pass

        def log_message(self, *_: Any) -> None:
            """Write nothing."""

    return Handler
