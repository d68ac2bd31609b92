"""Who asks, as the rest of the code knows them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Caller:
    """The user behind a request's token."""

    id: int
    username: str
    permissions: frozenset[str]
    """What their roles allow, of what the enabled plugins declare; approval power for a content
    type adds reading it, ``admin`` adds everything."""
    approves: frozenset[str]
    """Names of the content types that they may approve."""
    token: str | None = None
    """``jti`` of the token; None where they came by another way."""

    def may(self, permission: str) -> bool:
        """Whether they hold a permission."""
        return permission in self.permissions
