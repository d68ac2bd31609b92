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
        "kind": required(Str()),
        "id": required(Int(), nullable=True),
        "subject": required(Str()),
    }
)
_FILTERS = {
    "kind": optional(Choice(*SUPPRESSION_KINDS), nullable=False),
    "newsletterId": optional(Int(1), nullable=False),
    "composedEmailId": optional(Int(1), nullable=False),
    "since": optional(Timestamp(), nullable=False),
}

SUPPRESSED = schema(
    {
        "email": required(Str()),
        "kind": required(Choice(*SUPPRESSION_KINDS)),
        "reason": required(Str()),
        "since": required(Timestamp()),
        "mail": required(Nullable(Object(_MAIL))),
    }
)
NEW = schema({"email": required(Email()), "reason": optional(Line(REASON))})
FILTERS = schema({**_FILTERS, "search": optional(Str(200, min_length=0), nullable=False)})
RELEASE = schema({**_FILTERS, "search": optional(Str(200), nullable=False)})
RELEASED = schema({"success": required(Bool()), "released": required(Int(0))})
