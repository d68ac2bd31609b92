"""What can go wrong on purpose: refusals that a client reads, and trouble that stops a command."""

from __future__ import annotations

CHANGED = "The item has changed since it was read"


class StartError(Exception):
    """A start or a command can't go on; its text is one clear line for a terminal."""


class Refusal(Exception):
    """A request is refused; ``str(refusal)`` is the message that the client reads.

    Services raise it; ``masthead.http.refusals`` turns it into ``{"error": message}``.
    """

    status = 400

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class Invalid(Refusal):
    """What was sent is wrong: a field, a parameter, the body itself."""


class Refused(Refusal):
    """What was sent is right, but the state of things, or a hook, doesn't allow it."""


class Unauthenticated(Refusal):
    """Nobody knows who asks."""

    status = 401

    def __init__(self, message: str = "Unauthorized") -> None:
        super().__init__(message)


class Forbidden(Refusal):
    """Who asks is known, and may not."""

    status = 403

    def __init__(self, message: str = "Forbidden") -> None:
        super().__init__(message)


class NotFound(Refusal):
    """There is no such thing, or not for who asks."""

    status = 404

    def __init__(self, message: str = "Not found") -> None:
        super().__init__(message)


class Stale(Refusal):
    """``If-Match`` names another revision than the stored one (RFC 9110 section 13.1.1)."""

    status = 412

    def __init__(self, message: str = CHANGED) -> None:
        super().__init__(message)


class TooMany(Refusal):
    """Throttled; ``retry_after`` is in seconds (RFC 6585 section 4)."""

    status = 429

    def __init__(self, message: str, retry_after: int) -> None:
        super().__init__(message)
        self.retry_after = retry_after
