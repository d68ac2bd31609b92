"""A login whose person has proven to be a user, and a further step that it needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from masthead.http.request import Request

PASSWORD = "password"  # noqa: S105 - it is the name of a method

SECOND_STEP_REQUIRED = "second_step_required"
"""The code of the answer to a login that lacks a step."""


@dataclass(frozen=True)
class Login:
    """A login that is about to succeed."""

    user_id: int
    username: str
    roles: tuple[str, ...]
    """The names of the user's roles."""
    method: str
    """The proof: ``password``, or the name that the issuing plugin gives its own."""
    code: str | None
    """The code of a second step that the client has sent; None without one."""
    address: str
    """The IP address of the client."""
    request: Request


@dataclass(frozen=True)
class SecondStep:
    """A step that a login lacks. The client repeats the login with a code after it."""

    name: str
    """The name by which clients know the step, such as ``totp``."""
    message: str = "A second step is required"
    token: str | None = None
    """A token with which the client does the step, if the step needs one."""
