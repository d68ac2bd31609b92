"""A client of the API, which uses a new connection for each request."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPMessage
from typing import Any
from urllib.parse import urlsplit

SECONDS = 40
"""The time to wait for an answer; longer than Masthead waits for PostgreSQL."""
_CUT = "cut-here"


@dataclass
class Answer:
    """An answer of the API."""

    status: int
    headers: HTTPMessage
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Client:
    """Sends requests to an address."""

    def __init__(self, url: str, token: str = "") -> None:
        self._place = urlsplit(url).netloc
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}

    def log_in(self, username: str, password: str) -> str:
        """Log in, and return the token."""
        body = {"username": username, "password": password}
        answer = self.ask("POST", "/api/auth/login", body)
        assert answer.status == 200, answer.body
        return str(answer.json["token"])

    def ask(self, method: str, path: str, body: Any = None) -> Answer:
        """Send JSON or nothing, and return the answer.

        :raises OSError: if there is none.
        """
        return self._send(method, path, None if body is None else json.dumps(body).encode(), {})

    def upload(self, path: str, name: str, content: bytes, seconds: float = SECONDS) -> Answer:
        """Send a file in a form, and return the answer.

        :raises OSError: if there is none.
        """
        disposition = f'Content-Disposition: form-data; name="file"; filename="{name}"'
        head = f"--{_CUT}\r\n{disposition}\r\n\r\n".encode()
        body = b"%b%b\r\n--%b--\r\n" % (head, content, _CUT.encode())
        kind = {"Content-Type": f"multipart/form-data; boundary={_CUT}"}
        return self._send("POST", path, body, kind, seconds)

    def _send(
        self,
        method: str,
        path: str,
        body: bytes | None,
        headers: dict[str, str],
        seconds: float = SECONDS,
    ) -> Answer:
        connection = HTTPConnection(self._place, timeout=seconds)
        try:
            # A proxy whose server ends can answer before it has received the body, and close.
            with suppress(BrokenPipeError, ConnectionResetError):
                connection.request(method, path, body, self._headers | headers)
            answer = connection.getresponse()
            return Answer(answer.status, answer.headers, answer.read())
        except HTTPException as error:
            raise ConnectionError(f"{type(error).__name__}: {error}") from error
        finally:
            connection.close()
