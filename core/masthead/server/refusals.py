"""Error responses of the server itself, in the same form as the application's."""

from __future__ import annotations

import json
import time
import uuid

from waitress.task import ErrorTask
from waitress.utilities import (
    BadRequest,
    Error,
    InternalServerError,
    RequestEntityTooLarge,
    RequestHeaderFieldsTooLarge,
    ServerNotImplemented,
)

from masthead.http.environ import REQUEST_ID
from masthead.server.access_log import Entry, redact_path
from masthead.server.parser import VersionNotSupported
from masthead.telemetry.metrics import Counter

_RETRY_AFTER = 5  # seconds

_REFUSED = Counter(
    "masthead_http_refusals",
    "Requests that the server answered without the application, such as 503 without a free thread.",
    ("status",),
)

_MESSAGES: list[tuple[type[Error], str]] = [
    (RequestHeaderFieldsTooLarge, "The head of the request is too large"),
    (RequestEntityTooLarge, "The body is too large"),
    (InternalServerError, "Internal server error"),
]
# The interface for clients has no other statuses for invalid requests than 400.
_STATUSES: list[tuple[type[Error], str]] = [
    (VersionNotSupported, "505 HTTP Version Not Supported"),
    (BadRequest, "400 Bad Request"),
    (ServerNotImplemented, "400 Bad Request"),
]


class Overloaded(Error):  # type: ignore[misc]  # waitress has no types
    """The error for a request that no thread becomes free for."""

    code = 503
    reason = "Service Unavailable"

    def __init__(self) -> None:
        super().__init__("The server is busy; try again later")


class RefusalTask(ErrorTask):  # type: ignore[misc]  # waitress has no types
    """Answers a request that never reached the application, or for which it raised."""

    def execute(self) -> None:
        """Send ``{"error": message}`` with the common headers, then close the connection."""
        error = self.request.error
        failed = isinstance(error, InternalServerError)
        request_id = (failed and self.channel.environ.get(REQUEST_ID)) or uuid.uuid4().hex
        body = json.dumps({"error": message_of(error)}).encode()
        self.status = status_of(error)
        self.response_headers += [
            *self.channel.server.options.headers,
            ("Content-Type", "application/json"),
            ("Cache-Control", "no-store"),
            ("X-Request-Id", request_id),
        ]
        if isinstance(error, Overloaded):
            self.response_headers.append(("Retry-After", str(_RETRY_AFTER)))
        self.content_length = len(body)
        _REFUSED.add(self.status[:3])
        self.channel.refused = True
        self.set_close_on_finish()
        self.write(b"" if self._asked_for_head() else body)
        if not failed:
            self._log(request_id, len(body))

    def _asked_for_head(self) -> bool:
        # The task of a failed request has a substitute request without a method.
        request = self.channel.requests[0] if self.channel.requests else self.request
        return bool(request.command == "HEAD")

    def _log(self, request_id: str, size: int) -> None:
        Entry(
            client=self.channel.addr[0],
            method=self.request.command,
            # Without the query, which may contain a secret.
            target=redact_path(self.request.path, self.channel.server.options.secret_paths),
            status=self.status[:3],
            size=str(size),
            seconds=time.time() - self.start_time,
            request_id=request_id,
        ).write()


def status_of(error: Error) -> str:
    """Return the status of an error response."""
    found = (status for kind, status in _STATUSES if isinstance(error, kind))
    return next(found, f"{error.code} {error.reason}")


def message_of(error: Error) -> str:
    """Return the message for the client."""
    for kind, message in _MESSAGES:
        if isinstance(error, kind):
            return message
    return str(error.body)
