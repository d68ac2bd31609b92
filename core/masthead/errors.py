"""Exceptions: refusals of requests, and errors that stop a command or the start."""

from __future__ import annotations

from typing import Any

CHANGED = "The item has changed since it was read"


class StartError(Exception):
    """A start or a command fails; the text is one line for a terminal."""


class Refusal(Exception):
    """A request is refused; the text is the message for the client.

    Services raise it; ``masthead.http.refusals`` turns it into ``{"error": message}``.
    """

    status = 400

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message
        self.details: dict[str, Any] = {}
        """Further members of the answer."""


class Invalid(Refusal):
    """The request is invalid: a field, a parameter or the body."""


class Refused(Refusal):
    """The request is valid, but the current state or a hook doesn't allow it."""


class Unauthenticated(Refusal):
    """The caller is not authenticated."""

    status = 401

    def __init__(self, message: str = "Unauthorized") -> None:
        super().__init__(message)


class Forbidden(Refusal):
    """The caller lacks the permission."""

    status = 403

    def __init__(self, message: str = "Forbidden") -> None:
        super().__init__(message)


class NotFound(Refusal):
    """The item doesn't exist, or the caller may not see it."""

    status = 404

    def __init__(self, message: str = "Not found") -> None:
        super().__init__(message)


class Moved(NotFound):
    """The item has another slug now."""

    def __init__(self, slug: str, path: str, url: str) -> None:
        super().__init__()
        self.details = {"movedTo": {"slug": slug, "path": path, "url": url}}


class Stale(Refusal):
    """``If-Match`` doesn't match the stored revision (RFC 9110 section 13.1.1)."""

    status = 412

    def __init__(self, message: str = CHANGED) -> None:
        super().__init__(message)


class RetryLater(Refusal):
    """The same request may succeed later; ``retry_after`` is in seconds."""

    def __init__(self, message: str, retry_after: int) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class TooMany(RetryLater):
    """The rate limit is exceeded (RFC 6585 section 4)."""

    status = 429


class Busy(RetryLater):
    """The server can't do the work now (RFC 9110 section 15.6.4)."""

    status = 503
