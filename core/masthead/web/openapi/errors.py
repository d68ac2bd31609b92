"""The answer to a refused request."""

from __future__ import annotations

from masthead.ports.login import SECOND_STEP_REQUIRED
from masthead.schemas.common import PROBLEM
from masthead.schemas.field_types import Anything, Str
from masthead.schemas.schema import ListOf, Object, optional, required, schema
from masthead.schemas.stored import PlainText

_MOVED_TO = schema(
    {
        "slug": required(Str(), help="Its present slug.", example="open-again"),
        "path": required(Str(), help="Its path on the website.", example="/news/open-again"),
        "url": required(
            Str(), help="Its address on the website.", example="https://example.org/news/open-again"
        ),
    },
    name="MovedTo",
    help="The present address of an item.",
)
_CONFLICT = schema(
    {
        "etag": required(Str(), help="The present revision of the item.", example="4"),
        "current": required(
            Anything(), help="The present values of the fields that an update can change."
        ),
        "base": required(
            Anything(),
            nullable=True,
            help="The values at the revision that the request names; null if they aren't kept.",
        ),
        "collisions": required(
            ListOf(Str()),
            help="The fields of the request that somebody else has changed, too, or may have.",
            example=["title"],
        ),
    },
    name="Conflict",
    help="The versions of an item that has changed since the client read it.",
)
ERROR = schema(
    {
        "error": required(PlainText(), help="The reason, for humans.", example="title: Required"),
        "movedTo": optional(
            Object(_MOVED_TO),
            nullable=False,
            help="The present address of the item, if the slug is one that it has left.",
        ),
        "conflict": optional(
            Object(_CONFLICT),
            nullable=False,
            help="Both versions of the item, if it has changed since the client read it.",
        ),
        "code": optional(
            Str(),
            nullable=False,
            help="`second_step_required` for a login that lacks a step.",
            example=SECOND_STEP_REQUIRED,
        ),
        "step": optional(
            Str(),
            nullable=False,
            help="The name of the step. After it, the client repeats the login with `code`.",
            example="totp",
        ),
        "stepToken": optional(
            Str(),
            nullable=False,
            help="A token with which the client does the step, if it needs one.",
        ),
        "fields": optional(
            ListOf(Object(PROBLEM)), nullable=False, help="The wrong fields, if there are some."
        ),
    },
    name="Error",
    help="The request was refused.",
)
