"""What logging in, profiles, users and roles look like on the wire."""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import Any

from masthead.auth.models import Role, User
from masthead.auth.passwords import LEAST, MOST
from masthead.auth.tokens import LONGEST_TOKEN
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
from masthead.schemas.schema import ListOf, Object, optional, required, schema


class NewPassword(Password):
    """A password that is being set."""

    def parse(self, value: Any) -> str:
        """Judge its length, which is in characters."""
        password = super().parse(value)
        if not LEAST <= len(password) <= MOST:
            raise ValueError(f"Must have {LEAST} to {MOST:,} characters")
        return password

    def schema(self) -> dict[str, Any]:
        """Say the length in JSON Schema too."""
        return {**super().schema(), "minLength": LEAST, "maxLength": MOST}


class LoginName(FieldType):
    """A username or an e-mail address that somebody logs in with; blank where it can be neither.

    So a name that nobody can have is refused as one that nobody has.
    """

    def parse(self, value: Any) -> str:
        """Judge only whether there is one."""
        if not isinstance(value, str) or not value.strip():
            return Str().parse(value)
        try:
            return Str().parse(value)
        except ValueError:
            return ""

    def schema(self) -> dict[str, Any]:
        """Say in JSON Schema what is taken."""
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
PROFILE = schema(_PROFILE)
SIGNED_IN_USER = schema({**_PROFILE, "permissions": required(ListOf(Str()))})
LOGIN = schema({"username": required(LoginName()), "password": required(Password())})
LOGGED_IN = schema(
    {"token": required(Str(LONGEST_TOKEN)), "user": required(Object(SIGNED_IN_USER))}
)
CHECKED = schema({"user": required(Object(SIGNED_IN_USER))})
PASSWORD_CHANGE = schema(
    {"currentPassword": required(Password()), "newPassword": required(NewPassword())}
)
PROFILE_CHANGE = schema(
    {
        "username": optional(Str(), nullable=False),
        "email": optional(Email()),
        "displayName": optional(Str()),
        "password": optional(NewPassword(), nullable=False),
        "currentPassword": optional(Password(), nullable=False),
    }
)

USER = schema({**_PROFILE, "disabled": required(Bool())})
_USER_FIELDS = {
    "displayName": optional(Str()),
    "roles": optional(ListOf(Str(), unique=True), ()),
    "disabled": optional(Bool(), False),
}
NEW_USER = schema(
    {
        "username": required(Str()),
        "email": required(Email()),
        "password": required(NewPassword()),
        **_USER_FIELDS,
    }
)
USER_CHANGE = schema(
    {
        "username": optional(Str(), nullable=False),
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
NEW_ROLE = schema({"name": required(Str()), **_ROLE_FIELDS})
ROLE_CHANGE = schema({"name": optional(Str(), nullable=False), **_ROLE_FIELDS})


def describe_user(user: User, permissions: Iterable[str] = ()) -> dict[str, Any]:
    """A user by wire name; ``permissions`` are those in force, where the answer shows them."""
    return {
        "id": user.id,
        "username": user.username,
        "email": user.email,
        "displayName": user.display_name,
        "roles": [role.name for role in user.roles],
        "createdAt": user.created_at,
        "updatedAt": user.updated_at,
        "disabled": user.disabled,
        "permissions": sorted(permissions),
    }


def describe_role(role: Role, declared: Container[str]) -> dict[str, Any]:
    """A role by wire name, with those of its permissions that enabled plugins declare."""
    granted = (grant.permission for grant in role.grants)
    return {
        "id": role.id,
        "name": role.name,
        "description": role.description,
        "permissions": sorted(name for name in granted if name in declared),
        "builtIn": role.built_in,
    }
