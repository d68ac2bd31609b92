"""The bodies and the answers of the endpoints of comments."""

from __future__ import annotations

from masthead.schemas.common import USER_REFERENCE
from masthead.schemas.field_types import Bool, Int, Str, Timestamp
from masthead.schemas.schema import ListOf, Object, optional, required, schema

_LONGEST = 5_000
_TEXT_HELP = (
    'The plain text. `@name` notifies a user who may read the item, `@"a name"` one whose name has'
    " blanks."
)
_EXAMPLE = "@ada, is the date right?"

NEW = schema(
    {"text": required(Str(_LONGEST), help=_TEXT_HELP, example=_EXAMPLE)},
    name="CommentCreate",
    help="A comment beside an item.",
)
CHANGE = schema(
    {"text": optional(Str(_LONGEST), nullable=False, help=_TEXT_HELP, example=_EXAMPLE)},
    name="CommentUpdate",
    help="A new text of a comment.",
)
RESOLVE = schema(
    {
        "resolved": optional(
            Bool(),
            nullable=False,
            help="Whether it is resolved, by default true; false reopens it.",
        )
    },
    name="CommentResolution",
    help="Whether a comment is resolved.",
)
FILTER = schema(
    {
        "resolved": optional(
            Bool(), nullable=False, help="Only resolved comments, or only open ones."
        )
    }
)
COMMENT = schema(
    {
        "id": required(Int(1), help="The id of the comment."),
        "text": required(Str(_LONGEST), help="The plain text.", example=_EXAMPLE),
        "author": required(Object(USER_REFERENCE), help="The user who has written it."),
        "createdAt": required(Timestamp(), help="The time at which it was written."),
        "editedAt": required(
            Timestamp(), nullable=True, help="The time of the last change of the text."
        ),
        "resolvedAt": required(
            Timestamp(),
            nullable=True,
            help="The time at which it was resolved; null if it is open.",
        ),
        "resolvedBy": required(
            Object(USER_REFERENCE), nullable=True, help="The user who has resolved it."
        ),
        "etag": required(Str(), help="The revision of the comment.", example="1"),
    },
    name="Comment",
    help="A comment of a user beside an item.",
)
COMMENTS = ListOf(Object(COMMENT))
