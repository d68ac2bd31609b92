"""The bodies and responses of the endpoints of subscribers."""

from __future__ import annotations

from masthead import (
    CSV_REPORT,
    Bool,
    Choice,
    Email,
    Int,
    LanguageTag,
    Line,
    ListOf,
    Object,
    Str,
    extended,
    form,
    optional,
    required,
    schema,
)
from masthead_email.subscribers.bulk import OPERATIONS
from masthead_email.subscribers.fields import TextFields
from masthead_email.subscribers.models import SOURCE, STATUSES, TOPICS

_FIELDS = {
    "email": required(Email()),
    "name": optional(Line()),
    "source": optional(Line(SOURCE)),
    "language": optional(LanguageTag()),
}

SUBSCRIPTION = form(schema(_FIELDS))
NEW_SUBSCRIBER = schema({**_FIELDS, "fields": optional(TextFields()), "topics": optional(TOPICS)})
UNSUBSCRIPTION = schema({"email": required(Email())})
ANSWER = schema({"success": required(Bool()), "message": required(Str())})

IMPORT_QUERY = schema({"dryRun": optional(Bool(), nullable=False)})
IMPORT_BODY = schema(
    {
        "source": optional(Line(SOURCE, min_length=0), nullable=False),
        "charset": optional(Str(40, min_length=0), nullable=False),
        "ignore": optional(Str(10_000, min_length=0), nullable=False),
    }
)
IMPORTED = extended(CSV_REPORT, {"updated": required(Int())})
EXPORT_QUERY = schema({"status": optional(Choice(*STATUSES), nullable=False)})

BULK_BODY = schema(
    {
        "operation": required(Choice(*OPERATIONS)),
        "ids": required(ListOf(Int(1), unique=True)),
        "source": optional(Line(SOURCE)),
        "language": optional(LanguageTag()),
    }
)
BULK = schema(
    {
        "success": required(Bool()),
        "affected": required(Int()),
        "failed": required(
            ListOf(Object(schema({"id": required(Int()), "error": required(Str())})))
        ),
    }
)
