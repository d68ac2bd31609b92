"""The queries, bodies and answers of the endpoints."""

from __future__ import annotations

from masthead import (
    LOGIN_CODE,
    USER_REFERENCE,
    Bool,
    Int,
    Line,
    ListOf,
    Nullable,
    Object,
    Password,
    Str,
    Timestamp,
    optional,
    required,
    schema,
)

_RETURN_TO = {
    "returnTo": optional(
        Str(1_000),
        nullable=False,
        help="The address of the page to which the browser returns; by default the first one of"
        " masthead.oidc.return_addresses.",
        example="https://www.example.org/staff",
    )
}
STATUS = schema(
    {
        "enabled": required(Bool(), help="Whether staff can log in at a provider."),
        "passwordLogins": required(Bool(), help="Whether staff can log in by password."),
        "providers": required(
            ListOf(Str()), help="The names of the providers.", example=["default", "google"]
        ),
    },
    name="SingleSignOn",
    help="The ways to log in.",
)
_PROVIDER = {
    "provider": optional(
        Line(30), nullable=False, help="The name of the provider; by default the first one."
    )
}
LOGIN = schema(
    {
        **_PROVIDER,
        **_RETURN_TO,
        "link": optional(
            Str(2_000), nullable=False, help="The value in the address that links a person."
        ),
    }
)
LINKS = schema({"userId": optional(Int(1), nullable=False, help="The id of the user.")})
NEW_OWN_LINK = schema(
    {
        **_PROVIDER,
        **_RETURN_TO,
        "currentPassword": optional(
            Password(),
            nullable=False,
            help="The present password; not needed within ten minutes after a login at a provider.",
        ),
        "code": LOGIN_CODE,
    },
    name="SingleSignOnLinking",
    help="The wish to log in at a provider.",
)
LINKING = schema(
    {"url": required(Str(20_000), help="The address that the browser has to open.")},
    name="SingleSignOnLinkingAddress",
    help="The beginning of a link.",
)
_TICKET = {
    "ticket": required(
        Str(10_000), help="The ticket in the fragment of the address.", example="eyJhbGciOi…"
    )
}
OWN_LINK_TICKET = schema(
    _TICKET, name="SingleSignOnLinkTicket", help="The proof of the person who is to be linked."
)
CALLBACK = schema(
    {
        "state": optional(Str(200), nullable=False, help="The state of the attempt."),
        "code": optional(Str(4_000), nullable=False, help="The authorization code."),
        "error": optional(Str(200), nullable=False, help="The error of the provider."),
        "iss": optional(Str(1_000), nullable=False, help="The issuer of the answer."),
    }
)
TICKET = schema(
    {**_TICKET, "code": LOGIN_CODE},
    name="SingleSignOnTicket",
    help="The proof of a login at the provider.",
)
LOGOUT = schema(_RETURN_TO, name="SingleSignOnLogout", help="A logout at the provider.")
LOGGED_OUT = schema(
    {
        "url": required(
            Nullable(Str(20_000)),
            help="The address at the provider to which the browser has to go to end the session"
            " there; null if there is none.",
        )
    },
    name="SingleSignOnLoggedOut",
    help="The end of a login.",
)
_SUBJECT = Line(200)
NEW_LINK = schema(
    {
        "userId": required(Int(1), help="The id of the user.", example=7),
        "subject": required(
            _SUBJECT, help="The provider's name of the person, the claim `sub`.", example="a1b2"
        ),
        "issuer": optional(
            Line(500),
            nullable=False,
            help="The provider; by default the first one of the settings.",
            example="https://login.example.org",
        ),
    },
    name="NewSingleSignOnLink",
    help="A person at the provider, who becomes a user.",
)
LINK = schema(
    {
        "id": required(Int(), help="The id."),
        "user": required(Object(USER_REFERENCE), help="The user."),
        "issuer": required(Str(), help="The provider.", example="https://login.example.org"),
        "subject": required(Str(), help="The provider's name of the person."),
        "createdAt": required(Timestamp(), help="The time of the linking."),
        "lastLoginAt": required(
            Nullable(Timestamp()), help="The time of the last login; null before the first."
        ),
    },
    name="SingleSignOnLink",
    help="A person at a provider, who is a user.",
)
