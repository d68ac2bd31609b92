"""The bodies and answers of the endpoints of previews."""

from __future__ import annotations

from masthead.http.list_query import ABSOLUTE, HTML
from masthead.schemas.common import USER_REFERENCE, AnyValue
from masthead.schemas.field_types import MAX_ID, Bool, Choice, Int, Str, Timestamp
from masthead.schemas.schema import ListOf, Object, optional, required, schema
from masthead.schemas.text_types import Line, Secret

ID_HELP = "The id of the preview link."
_ONCE = "Whether the link opens the preview a single time."
_END = "Whether the link ends as soon as anybody changes the item."
_NOTE = "A note for staff, such as the name of the person who gets the link."

CREATE = schema(
    {
        "hours": optional(
            Int(1, MAX_ID),
            nullable=False,
            help="The number of hours for which the link is valid; by default"
            " `masthead.preview.hours`, at most `masthead.preview.max_hours`.",
            example=24,
        ),
        "once": optional(Bool(), nullable=False, help=f"{_ONCE} By default it does not."),
        "endOnChange": optional(Bool(), nullable=False, help=f"{_END} By default it does not."),
        "note": optional(Line(), help=_NOTE, example="For the board"),
    },
    name="NewPreviewLink",
    help="The options of a new preview link.",
)
_LINK = {
    "id": required(Int(1), help=ID_HELP),
    "createdAt": required(Timestamp(), help="The time at which it was made."),
    "expiresAt": required(Timestamp(), help="The time from which it is invalid."),
    "user": required(Object(USER_REFERENCE), help="The user who made it."),
    "once": required(Bool(), help=_ONCE),
    "endOnChange": required(Bool(), help=_END),
    "note": required(Line(), nullable=True, help=_NOTE, example="For the board"),
}
LINKS = ListOf(
    Object(schema(_LINK, name="PreviewLink", help="A preview link that is still valid."))
)
CREATED = Object(
    schema(
        {
            **_LINK,
            "token": required(Secret(), help="The token, which only this answer shows."),
            "url": required(
                Secret(),
                help="The address of the website's page with the preview, which has the token.",
                example="https://www.example.org/preview#…",
            ),
        },
        name="CreatedPreviewLink",
        help="A new preview link.",
    )
)
OPEN = schema(
    {
        "token": required(Str(), help="The token of the link."),
        HTML: optional(
            Choice(ABSOLUTE),
            nullable=False,
            help="Whether the addresses in HTML are absolute; by default, some are paths.",
        ),
    },
    name="PreviewToken",
    help="The token of a preview link.",
)
OPENED = Object(
    schema(
        {
            "type": required(
                Str(), help="The name of its content type or resource.", example="news"
            ),
            "expiresAt": required(Timestamp(), help="The time from which the link is invalid."),
            "item": required(
                AnyValue(),
                help="The item as the public endpoint for one item of its type would answer it.",
                example={"id": 7, "title": "An example", "slug": "an-example"},
            ),
        },
        name="OpenedPreview",
        help="An item as the public would see it after its approval.",
    )
)
