"""The authenticated caller of a request."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Caller:
    """The user behind a request's token."""

    id: int
    username: str
    permissions: frozenset[str]
    """The permissions of their roles, as far as enabled plugins declare them; approval power for a
    content type adds reading it, ``admin`` adds everything."""
    approves: frozenset[str]
    """The names of the content types that they may approve."""
    token: str | None = None
    """The ``jti`` of the token; None where the caller has none, as on the command line."""
    client: str | None = None
    """The name that the program of the request gives itself in ``User-Agent``."""

    def may(self, permission: str) -> bool:
        """Whether the caller has a permission."""
        return permission in self.permissions
