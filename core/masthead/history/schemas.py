"""The queries, bodies and answers of the endpoints of revisions."""

from __future__ import annotations

from masthead.history.comparing import KINDS
from masthead.history.models import LIVE, STAGED
from masthead.history.reading import REASONS
from masthead.http.revisions import ETAG
from masthead.schemas.common import USER_REFERENCE, AnyValue
from masthead.schemas.field_types import Anything, Bool, Choice, Int, Str, Timestamp
from masthead.schemas.schema import (
    DONE,
    ListOf,
    Object,
    extended,
    optional,
    required,
    schema,
)
from masthead.schemas.text_types import Line

_MOST = 2**31 - 1
NUMBER_HELP = "The number of the revision among those of the item, from 1."


_SUMMARY = {
    "number": required(Int(1), help=NUMBER_HELP),
    "copy": required(
        Choice(LIVE, STAGED), help="The copy that it shows: the live one, or a staged edit."
    ),
    "beganAt": required(Timestamp(), help="The time of its first save."),
    "at": required(Timestamp(), help="The time of its last save."),
    "saves": required(
        Int(0), help="The number of its saves; 0 for a state that was there before them."
    ),
    "user": required(
        Object(USER_REFERENCE), nullable=True, help="The user who saved it; null if unknown."
    ),
    "client": required(
        Str(),
        nullable=True,
        help="The program that saved it, as it names itself in `User-Agent`.",
        example="Desk/2.1",
    ),
    "changed": required(ListOf(Str()), help="The fields that it has changed.", example=["title"]),
    "restoredFrom": required(
        Int(1), nullable=True, help="The number of the revision whose values it has restored."
    ),
    "approvedAt": required(
        Timestamp(), nullable=True, help="The time at which this state was approved; null if never."
    ),
    "digest": required(
        Str(), help="The SHA-256 digest of its values, by which equal states are recognised."
    ),
}
UNFIT = ListOf(
    Object(
        schema(
            {
                "field": required(Str(), help="The name of the field."),
                "reason": required(
                    Choice(*REASONS),
                    help="`removed`: the items have no such field any more; `added`: the field is"
                    " younger than the revision; `invalid`: the value isn't accepted now.",
                ),
                "message": required(Str(), help="The reason, for humans."),
            },
            name="UnfitField",
            help="A field whose value of a revision doesn't fit the items of today.",
        )
    )
)
UNFIT_HELP = "The fields whose values don't fit the items of today."
REVISIONS = ListOf(
    Object(schema(_SUMMARY, name="RevisionSummary", help="A state of an item in a list."))
)
FITTING = {
    "values": required(Anything(), help="The values that fit, by field."),
    "names": required(Anything(), help="The names of rows that values refer to, by field and id."),
    "unfit": required(UNFIT, help=UNFIT_HELP),
}
"""The members of an answer with former values of an item."""
REVISION = extended(
    schema(_SUMMARY),
    FITTING,
    name="Revision",
    help="A state of an item.",
)
DIFFERENCES = ListOf(
    Object(
        schema(
            {
                "field": required(Str(), help="The name of the field.", example="title"),
                "kind": required(
                    Choice(*KINDS),
                    help="The form: `html` and `text` have the differences in `html`, `image` has"
                    " addresses with their alternative texts, `reference` ids with names.",
                ),
                "before": required(
                    AnyValue(), help="The value before; null for `html` and `text`."
                ),
                "after": required(AnyValue(), help="The value after; null for `html` and `text`."),
                "html": required(
                    Str(),
                    nullable=True,
                    help="Both texts as one, safe to show: former words in `<del>`, new ones in"
                    " `<ins>`. Null for other kinds, and for texts that are too different.",
                ),
                "markup": required(
                    Bool(), help="Whether formatting or links of HTML differ, which no mark shows."
                ),
                "tooDifferent": required(
                    Bool(), help="Whether the texts are too different to be compared by words."
                ),
            },
            name="FieldDifference",
            help="A field that differs between two states of an item.",
        )
    )
)
COMPARISON = schema(
    {
        "from": required(Int(1), help="The number of the first revision."),
        "to": required(Int(1), help="The number of the second revision."),
        "differences": required(DIFFERENCES, help="The fields that differ."),
        "unfit": required(UNFIT, help=UNFIT_HELP),
    },
    name="RevisionComparison",
    help="The differences of two revisions.",
)
COMPARED = schema(
    {
        "from": optional(
            Int(1, _MOST),
            nullable=False,
            help="The number of the first revision; by default the one before the second.",
        ),
        "to": optional(
            Int(1, _MOST),
            nullable=False,
            help="The number of the second revision; by default the newest.",
        ),
    }
)
RESTORE = schema(
    {
        "fields": optional(
            ListOf(Line(), max_length=500, unique=True),
            help="The fields to restore; by default all whose edits are approved, but not"
            " `published` and the time of publication.",
            example=["title", "content"],
        ),
        ETAG: optional(
            Str(),
            help="The revision of the item that the client has read, instead of the header"
            " If-Match; another one is refused.",
            example="3",
        ),
    },
    name="RevisionRestore",
    help="The part of a revision to restore.",
)
RESTORED = schema(
    {
        "success": DONE,
        "restored": required(
            ListOf(Str()), help="The fields that have the values of the revision now."
        ),
        "unfit": required(UNFIT, help=UNFIT_HELP),
        "number": required(
            Int(1), nullable=True, help="The number of the newest revision; null for none."
        ),
    },
    name="RevisionRestored",
    help="The result of restoring a revision.",
)
