"""Bodies and answers of the endpoints for logins, profiles, users and roles."""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import Any, Protocol

from masthead.auth.models import Role, User
from masthead.auth.passwords import MAX_LENGTH, MIN_LENGTH
from masthead.auth.tokens import MAX_TOKEN_LENGTH
from masthead.errors import ProblemCode, WrongValue
from masthead.schemas.field_types import (
    DESCRIPTION,
    Bool,
    Email,
    FieldType,
    Int,
    Password,
    Str,
    Timestamp,
)
from masthead.schemas.language_tags import LanguageTag
from masthead.schemas.schema import ListOf, Object, optional, required, schema
from masthead.schemas.text_types import DisplayName
from masthead.unicode.characters import has_line_controls, trimmed, without_invisible


class NewPassword(Password):
    """A new password, whose length is checked."""

    def parse(self, value: Any) -> str:
        """Return the password, whose length is counted in characters."""
        password = super().parse(value)
        if not MIN_LENGTH <= len(password) <= MAX_LENGTH:
            short = len(password) < MIN_LENGTH
            code = ProblemCode.TOO_SHORT if short else ProblemCode.TOO_LONG
            message = f"Must have {MIN_LENGTH} to {MAX_LENGTH:,} characters"
            raise WrongValue(code, message, minimum=MIN_LENGTH, maximum=MAX_LENGTH)
        return password

    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema, which states the bounds."""
        return {**super().schema(), "minLength": MIN_LENGTH, "maxLength": MAX_LENGTH}


class UserName(DisplayName):
    """A new username: without line ends, and without any invisible characters."""

    def parse(self, value: Any) -> str:
        """Return the name."""
        name = super().parse(value)
        if has_line_controls(trimmed(value)):
            message = "Must not contain control characters"
            raise WrongValue(ProblemCode.FORBIDDEN_CHARACTERS, message)
        if without_invisible(name) != name:
            message = "Must not contain invisible characters"
            raise WrongValue(ProblemCode.FORBIDDEN_CHARACTERS, message)
        return name


class LoginName(FieldType):
    """A username or an e-mail address to log in with; blank where it can be neither.

    An impossible name is thus refused like an unknown one.
    """

    def parse(self, value: Any) -> str:
        """Return the name; only a missing or blank one is refused."""
        if not isinstance(value, str) or not value.strip():
            return Str().parse(value)
        try:
            return Str().parse(value)
        except ValueError:
            return ""

    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema."""
        return {"type": "string"}


_PROFILE = {
    "id": required(Int(1)),
    "username": required(Str()),
    "email": required(Email(), nullable=True),
    "displayName": required(Str(), nullable=True),
    "roles": required(ListOf(Str())),
    "createdAt": required(Timestamp()),
    "updatedAt": required(Timestamp()),
}
_LANGUAGE = {"language": required(Str(), nullable=True)}
PROFILE = schema({**_PROFILE, **_LANGUAGE})
SIGNED_IN_USER = schema(
    {**_PROFILE, "permissions": required(ListOf(Str())), "approves": required(ListOf(Str()))}
)
LOGIN = schema({"username": required(LoginName()), "password": required(Password())})
LOGGED_IN = schema(
    {
        "token": required(Str(MAX_TOKEN_LENGTH)),
        "expiresAt": required(Timestamp()),
        "user": required(Object(SIGNED_IN_USER)),
    }
)
CHECKED = schema({"user": required(Object(SIGNED_IN_USER))})
PASSWORD_CHANGE = schema(
    {"currentPassword": required(Password()), "newPassword": required(NewPassword())}
)
RECOVERY = schema({"username": required(Str())})
RECOVERY_STARTED = schema({"success": required(Bool()), "message": required(Str())})
PASSWORD_RESET = schema({"token": required(Str()), "newPassword": required(NewPassword())})
PROFILE_CHANGE = schema(
    {
        "username": optional(UserName(), nullable=False),
        "email": optional(Email()),
        "displayName": optional(DisplayName()),
        "language": optional(LanguageTag()),
        "password": optional(NewPassword(), nullable=False),
        "currentPassword": optional(Password(), nullable=False),
    }
)

USER = schema({**_PROFILE, **_LANGUAGE, "disabled": required(Bool())})
_USER_FIELDS = {
    "displayName": optional(DisplayName()),
    "language": optional(LanguageTag()),
    "roles": optional(ListOf(Str(), unique=True), ()),
    "disabled": optional(Bool(), False),
}
NEW_USER = schema(
    {
        "username": required(UserName()),
        "email": required(Email()),
        "password": required(NewPassword()),
        **_USER_FIELDS,
    }
)
USER_CHANGE = schema(
    {
        "username": optional(UserName(), nullable=False),
        "email": optional(Email()),
        "password": optional(NewPassword(), nullable=False),
        **_USER_FIELDS,
    }
)

ROLE = schema(
    {
        "id": required(Int(1)),
        "name": required(Str()),
        "description": required(Str(DESCRIPTION), nullable=True),
        "permissions": required(ListOf(Str())),
        "builtIn": required(Bool()),
    }
)
_ROLE_FIELDS = {
    "description": optional(Str(DESCRIPTION)),
    "permissions": optional(ListOf(Str(), unique=True), ()),
}
NEW_ROLE = schema({"name": required(DisplayName()), **_ROLE_FIELDS})
ROLE_CHANGE = schema({"name": optional(DisplayName(), nullable=False), **_ROLE_FIELDS})


class _Powers(Protocol):
    """The current powers of a user: their caller, or their grants."""

    @property
    def permissions(self) -> Iterable[str]: ...

    @property
    def approves(self) -> Iterable[str]: ...


def describe_user(user: User, powers: _Powers | None = None) -> dict[str, Any]:
    """Return a user by wire name.

    :param powers: the current permissions and approval powers, where the answer shows them.
    """
    return {
        "id": user.id,
        "username": user.username,
        "email": user.email,
        "displayName": user.display_name,
        "language": user.language,
        "roles": [role.name for role in user.roles],
        "createdAt": user.created_at,
        "updatedAt": user.updated_at,
        "disabled": user.disabled,
        "permissions": sorted(powers.permissions) if powers else [],
        "approves": sorted(powers.approves) if powers else [],
    }


def describe_role(role: Role, declared: Container[str]) -> dict[str, Any]:
    """Return a role by wire name, with the permissions that enabled plugins declare."""
    granted = (grant.permission for grant in role.grants)
    return {
        "id": role.id,
        "name": role.name,
        "description": role.description,
        "permissions": sorted(name for name in granted if name in declared),
        "builtIn": role.built_in,
    }
