"""The bodies and answers of the endpoints."""

from __future__ import annotations

from masthead import (
    USER_REFERENCE,
    Bool,
    DisplayName,
    Int,
    Line,
    ListOf,
    Object,
    Secret,
    Str,
    Timestamp,
    optional,
    required,
    schema,
)

_NAME = "The name, which the history and the audit log show beside the user."
_PERMISSIONS = "The permissions that the token has as long as the user has them."
_APPROVES = "The content types that the token may approve as long as the user may."

CREATE = schema(
    {
        "name": required(DisplayName(), help=_NAME, example="Build of the website"),
        "permissions": required(
            ListOf(Line(), unique=True),
            help=f"{_PERMISSIONS} Each has to be one of your own.",
            example=["news.read"],
        ),
        "approves": optional(
            ListOf(Line(), unique=True), (), help=f"{_APPROVES} By default none.", example=["news"]
        ),
        "expiresAt": required(
            Timestamp(),
            help="The time from which it is invalid, at most `masthead.apitokens.max_days` ahead.",
        ),
    },
    name="NewApiToken",
    help="A new API token.",
)
CHANGE = schema(
    {"name": optional(DisplayName(), nullable=False, help=_NAME, example="Build of the website")},
    name="ApiTokenUpdate",
    help="A new name of an API token.",
)
LIST = schema({"all": optional(Bool(), nullable=False, help="Whether to list those of all users.")})
_TOKEN = {
    "id": required(Int(1), help="The id of the token."),
    "name": required(Str(), help=_NAME, example="Build of the website"),
    "user": required(Object(USER_REFERENCE), help="The owner of the token."),
    "permissions": required(ListOf(Str()), help=_PERMISSIONS, example=["news.read"]),
    "approves": required(ListOf(Str()), help=_APPROVES, example=["news"]),
    "createdAt": required(Timestamp(), help="The time at which it was made."),
    "expiresAt": required(Timestamp(), help="The time from which it is invalid."),
}
TOKEN = schema(
    {
        **_TOKEN,
        "lastUsedAt": required(
            Timestamp(),
            nullable=True,
            help="The time of the last use, exact to about a minute; null before the first use.",
        ),
    },
    name="ApiToken",
    help="An API token, without its text.",
)
CREATED = schema(
    {**_TOKEN, "token": required(Secret(), help="The token, which only this answer shows.")},
    name="CreatedApiToken",
    help="A new API token with its text.",
)
