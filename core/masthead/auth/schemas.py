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
from masthead.schemas.text_types import DisplayName, Line
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
    "id": required(Int(1), help="The id of the user."),
    "username": required(Str(), help="The name to log in with, which is unique.", example="ada"),
    "email": required(Email(), nullable=True, help="The e-mail address, which is unique."),
    "displayName": required(
        Str(),
        nullable=True,
        help="The name that the public and colleagues see.",
        example="Ada Lovelace",
    ),
    "roles": required(ListOf(Str()), help="The names of the user's roles.", example=["editor"]),
    "createdAt": required(Timestamp(), help="The time of the user's creation."),
    "updatedAt": required(Timestamp(), help="The time of the user's last change."),
}
_LANGUAGE = {
    "language": required(
        Str(),
        nullable=True,
        help="The tag of the language of mails to the user; null for that of the organisation.",
        example="de",
    )
}
PROFILE = schema({**_PROFILE, **_LANGUAGE}, name="Profile", help="The caller's own profile.")
SIGNED_IN_USER = schema(
    {
        **_PROFILE,
        "permissions": required(
            ListOf(Str()),
            help="The permissions of all roles together.",
            example=["news.read", "news.write"],
        ),
        "approves": required(
            ListOf(Str()),
            help="The content types whose items the user may approve.",
            example=["news"],
        ),
    },
    name="SignedInUser",
    help="The user of a token, with everything that the user may do.",
)
LOGIN = schema(
    {
        "username": required(
            LoginName(), help="The username, or the e-mail address.", example="ada"
        ),
        "password": required(Password(), help="The password."),
        "code": optional(
            Line(200),
            help="The code of the second step, if the answer to the login without it asks for one.",
            example="492039",
        ),
    },
    name="Login",
    help="The credentials of a user.",
)
LOGGED_IN = schema(
    {
        "token": required(
            Str(MAX_TOKEN_LENGTH),
            help="The token for the header Authorization, valid for some days.",
        ),
        "expiresAt": required(Timestamp(), help="The time at which the token expires."),
        "user": required(Object(SIGNED_IN_USER), help="The user of the token."),
    },
    name="LoggedIn",
    help="A token and its user.",
)
CHECKED = schema(
    {"user": required(Object(SIGNED_IN_USER), help="The user of the token.")},
    name="TokenCheck",
    help="The user of a valid token.",
)
PASSWORD_CHANGE = schema(
    {
        "currentPassword": required(Password(), help="The present password."),
        "newPassword": required(NewPassword(), help="The new password."),
    },
    name="PasswordChange",
    help="The present password and a new one.",
)
RECOVERY = schema(
    {"username": required(Str(), help="The username, or the e-mail address.", example="ada")},
    name="PasswordRecovery",
    help="The user who has forgotten the password.",
)
RECOVERY_STARTED = schema(
    {
        "success": required(Bool(), help="Always true; an error has another answer."),
        "message": required(
            Str(), help="A sentence for the user, the same for known and unknown users."
        ),
    },
    name="PasswordRecoveryStarted",
    help="The request was received; known and unknown users get the same answer.",
)
PASSWORD_RESET = schema(
    {
        "token": required(Str(), help="The token of the mailed link."),
        "newPassword": required(NewPassword(), help="The new password."),
    },
    name="PasswordReset",
    help="A mailed token and the new password.",
)
PROFILE_CHANGE = schema(
    {
        "username": optional(
            UserName(), nullable=False, help="The name to log in with, which is unique."
        ),
        "email": optional(Email(), help="The e-mail address, which is unique."),
        "displayName": optional(
            DisplayName(),
            help="The name that the public and colleagues see.",
            example="Ada Lovelace",
        ),
        "language": optional(
            LanguageTag(),
            help="The tag of the language of mails to the user; null for that of the organisation.",
            example="de",
        ),
        "password": optional(
            NewPassword(),
            nullable=False,
            help="A new password; a change also needs `currentPassword`.",
        ),
        "currentPassword": optional(
            Password(),
            nullable=False,
            help="The present password, which a change of the password or the address needs.",
        ),
    },
    name="ProfileUpdate",
    help="Changes of the caller's profile: a field that is left out stays as it is.",
)

USER = schema(
    {**_PROFILE, **_LANGUAGE, "disabled": required(Bool(), help="Whether the user can't log in.")},
    name="User",
    help="A user, as administrators see it.",
)
_USER_FIELDS = {
    "displayName": optional(
        DisplayName(), help="The name that the public and colleagues see.", example="Ada Lovelace"
    ),
    "language": optional(
        LanguageTag(),
        help="The tag of the language of mails to the user; null for that of the organisation.",
        example="de",
    ),
    "roles": optional(
        ListOf(Str(), unique=True), (), help="The names of the user's roles.", example=["editor"]
    ),
    "disabled": optional(Bool(), False, help="Whether the user can't log in."),
}
NEW_USER = schema(
    {
        "username": required(
            UserName(), help="The name to log in with, which is unique.", example="ada"
        ),
        "email": required(Email(), help="The e-mail address, which is unique."),
        "password": required(NewPassword(), help="The first password."),
        **_USER_FIELDS,
    },
    name="UserCreate",
    help="A user to create.",
)
USER_CHANGE = schema(
    {
        "username": optional(
            UserName(), nullable=False, help="The name to log in with, which is unique."
        ),
        "email": optional(Email(), help="The e-mail address, which is unique."),
        "password": optional(
            NewPassword(), nullable=False, help="A new password, which ends all tokens of the user."
        ),
        **_USER_FIELDS,
    },
    name="UserUpdate",
    help="Changes of a user: a field that is left out stays as it is.",
)

ROLE = schema(
    {
        "id": required(Int(1), help="The id of the role."),
        "name": required(Str(), help="The name of the role, which is unique.", example="editor"),
        "description": required(Str(DESCRIPTION), nullable=True, help="The purpose of the role."),
        "permissions": required(
            ListOf(Str()),
            help="The permissions that holders of the role have.",
            example=["news.read"],
        ),
        "builtIn": required(
            Bool(), help="Whether Masthead made the role; it can't be renamed or deleted."
        ),
    },
    name="Role",
    help="A role, which gives its permissions to users.",
)
_ROLE_FIELDS = {
    "description": optional(Str(DESCRIPTION), help="The purpose of the role."),
    "permissions": optional(
        ListOf(Str(), unique=True),
        (),
        help="The permissions that holders of the role have.",
        example=["news.read"],
    ),
}
NEW_ROLE = schema(
    {
        "name": required(
            DisplayName(), help="The name of the role, which is unique.", example="editor"
        ),
        **_ROLE_FIELDS,
    },
    name="RoleCreate",
    help="A role to create.",
)
ROLE_CHANGE = schema(
    {
        "name": optional(
            DisplayName(),
            nullable=False,
            help="The name of the role, which is unique.",
            example="editor",
        ),
        **_ROLE_FIELDS,
    },
    name="RoleUpdate",
    help="Changes of a role: a field that is left out stays as it is.",
)


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
