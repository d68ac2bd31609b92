"""The bodies, queries and responses of the endpoints of suppressed addresses."""

from __future__ import annotations

from masthead import (
    Bool,
    Choice,
    Email,
    Int,
    Line,
    Nullable,
    Object,
    Str,
    Timestamp,
    optional,
    required,
    schema,
)
from masthead_email.outbox.models import SUPPRESSION_KINDS

REASON = 300
"""The maximum number of characters of the reason that staff enter."""
_MAIL = schema(
    {
        "kind": required(Str(), help="The kind of the mail."),
        "id": required(
            Int(),
            nullable=True,
            help="The id of the newsletter or composed e-mail; null for another mail.",
        ),
        "subject": required(Str(), help="The subject.", example="News in March"),
    },
    name="SuppressingMail",
    help="The mail after which an address receives no more mail.",
)
_FILTERS = {
    "kind": optional(
        Choice(*SUPPRESSION_KINDS), nullable=False, help="Only suppressions of this kind."
    ),
    "newsletterId": optional(
        Int(1), nullable=False, help="Only suppressions that the newsletter with this id led to."
    ),
    "composedEmailId": optional(
        Int(1),
        nullable=False,
        help="Only suppressions that the composed e-mail with this id led to.",
    ),
    "since": optional(Timestamp(), nullable=False, help="Only suppressions since this time."),
}

SUPPRESSED = schema(
    {
        "email": required(Str(), help="The address."),
        "kind": required(Choice(*SUPPRESSION_KINDS), help="The kind of the reason."),
        "reason": required(Str(), help="The reason, for humans.", example="550 5.1.1 No such user"),
        "since": required(Timestamp(), help="The time since which no mail is sent."),
        "mail": required(Nullable(Object(_MAIL)), help="The mail that led to it; null for none."),
    },
    name="SuppressedAddress",
    help="An address that receives no mail.",
)
NEW = schema(
    {
        "email": required(Email(), help="The address."),
        "reason": optional(
            Line(REASON), help="The reason, for colleagues.", example="Asked by telephone"
        ),
    },
    name="SuppressedAddressCreate",
    help="An address to suppress.",
)
FILTERS = schema(
    {
        **_FILTERS,
        "search": optional(
            Str(200, min_length=0),
            nullable=False,
            help="A part of the address.",
            example="@example.org",
        ),
    }
)
RELEASE = schema(
    {
        **_FILTERS,
        "search": optional(
            Str(200), nullable=False, help="A part of the address.", example="@example.org"
        ),
    },
    name="SuppressionRelease",
    help="The suppressions to release: those that match all filters.",
)
RELEASED = schema(
    {
        "success": required(Bool(), help="Always true; an error has another answer."),
        "released": required(Int(0), help="The number of addresses that receive mail again."),
    },
    name="SuppressionReleased",
    help="The addresses were released.",
)
