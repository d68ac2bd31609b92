"""The query and the answer of the schedule."""

from __future__ import annotations

from collections.abc import Sequence

import colander

from masthead.approval.declaration import APPROVAL_FIELDS
from masthead.http.list_query import FROM, TO, Names, TimeOrDay
from masthead.schemas.field_types import Bool, Int, Str, Timestamp
from masthead.schemas.schema import ListOf, Object, optional, required, schema

TYPES = "types"
_DAY = " A date without a time is that day in the organisation's time zone"


def query(names: Sequence[str]) -> colander.SchemaNode:
    """Return the query for a span of time and some types."""
    return schema(
        {
            FROM: optional(
                TimeOrDay(),
                nullable=False,
                help=f"The begin of the span; by default it is now.{_DAY}.",
                example="2026-03-29T00:00:00.000Z",
            ),
            TO: optional(
                TimeOrDay(),
                nullable=False,
                help=f"The end of the span; by default it has none.{_DAY}, which is included.",
                example="2026-04-05T00:00:00.000Z",
            ),
            TYPES: optional(
                Names(*names),
                nullable=False,
                help="The types whose items to list; by default all that the caller may read.",
                example=list(names[:1]),
            ),
        }
    )


ENTRIES = ListOf(
    Object(
        schema(
            {
                "at": required(Timestamp(), help="The time, in UTC."),
                "localTime": required(
                    Str(),
                    help="The same time in the organisation's time zone, with its offset then.",
                    example="2026-03-29T09:00:00.000+02:00",
                ),
                "timeZone": required(
                    Str(), help="The organisation's time zone.", example="Europe/Berlin"
                ),
                "change": required(
                    Str(),
                    help="`published`: the item appears. `withdrawn`: it vanishes. `edited`: a"
                    " staged edit goes live. `sent`: a newsletter is sent. Plugins may add others.",
                    example="published",
                ),
                "contentType": required(Str(), help="The content type.", example="news"),
                "label": required(Str(), help="The label of the type.", example="News Article"),
                "id": required(Int(1), help="The id of the item."),
                "title": required(Str(), help="Its title, also of a staged edit."),
                "approvalStatus": required(APPROVAL_FIELDS["approvalStatus"]),
                "happens": required(
                    Bool(),
                    help="Whether it happens if nobody does anything: the item or the edit is"
                    " approved, and the item is published.",
                ),
            },
            name="ScheduledChange",
            help="A change that happens by itself at a time.",
        )
    )
)
