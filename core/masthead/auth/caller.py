"""The authenticated caller of a request."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from masthead.auth.grants import Grants


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
    """The name of the credential, or the one that the program gives itself in ``User-Agent``."""
    credential: str | None = None
    """The name of the credential with which a program acts for the user, such as an API token;
    None for a user who has logged in."""

    def may(self, permission: str) -> bool:
        """Whether the caller has a permission."""
        return permission in self.permissions

    def within(self, grants: Grants) -> Caller:
        """Return the caller without the powers that the user has lost."""
        return replace(
            self,
            permissions=self.permissions & grants.permissions,
            approves=self.approves & grants.approves,
        )
