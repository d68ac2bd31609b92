"""Bodies, queries and answers beyond the fields of contacts, stages and rules."""

from __future__ import annotations

from masthead import (
    CSV_REPORT,
    USER_SUMMARY,
    Anything,
    Bool,
    Choice,
    Int,
    Line,
    ListOf,
    Nullable,
    Object,
    Str,
    Timestamp,
    extended,
    optional,
    required,
    schema,
)
from masthead_crm.file_export import KINDS
from masthead_crm.models import NOTES
from masthead_crm.services.duplicates import MAX_SHOWN, REASONS
from masthead_crm.services.follow_ups import OVERDUE, PENDING

MAX_MAP = 60_000
"""The maximum number of characters in a mapping; a field of a form has at most 64 KiB."""
MAX_REFUSED = 2**30
"""The maximum number of characters in a table of refused rows, which is as large as its file."""

_ENTRY = {
    "id": required(Int()),
    "stage": required(Str()),
    "interactionType": required(Str(), nullable=True),
    "notes": required(Str(NOTES), nullable=True),
    "createdAt": required(Timestamp()),
}
ENTRY = schema({**_ENTRY, "createdBy": required(Nullable(USER_SUMMARY))})
ENTRY_BODY = schema(
    {
        "stageId": required(Int(1)),
        "interactionType": optional(Line()),
        "notes": optional(Str(NOTES)),
    }
)

_MAIL = schema(
    {
        "id": required(Int()),
        "subject": required(Str()),
        "kind": required(Str()),
        "status": required(Choice("queued", "sent", "failed")),
        "sentAt": required(Timestamp(), nullable=True),
    }
)
_OPEN_ITEM = schema(
    {
        "id": required(Int()),
        "ruleName": required(Str()),
        "dueDate": required(Timestamp()),
        "catchupType": required(Str()),
        "status": required(Choice(PENDING, OVERDUE)),
    }
)
CONTACT_DETAILS = {
    "progression": ListOf(Object(schema(_ENTRY))),
    "emailHistory": ListOf(Object(_MAIL)),
    "followUps": ListOf(Object(_OPEN_ITEM)),
    "leftOut": ListOf(Str()),
}

_DASHBOARD_ITEM = schema(
    {
        "id": required(Int()),
        "contactId": required(Int()),
        "contactName": required(Str()),
        "ruleName": required(Str()),
        "dueDate": required(Timestamp()),
        "catchupType": required(Str()),
    }
)
DASHBOARD = schema(
    {name: required(ListOf(Object(_DASHBOARD_ITEM))) for name in (PENDING, OVERDUE, "completed")}
)

EXPORT_QUERY = schema({"format": optional(Choice(*KINDS), nullable=False)})
_COLUMNS = {
    "map": optional(Str(MAX_MAP, min_length=0), nullable=False),
    "mapping": optional(Str(min_length=0), nullable=False),
    "sheet": optional(Str(min_length=0), nullable=False),
}
IMPORT_QUERY = schema(
    {
        "dryRun": optional(Bool(), nullable=False),
        "refused": optional(Bool(), nullable=False),
        "repeat": optional(Bool(), nullable=False),
        **_COLUMNS,
    }
)
IMPORT_BODY = schema({"charset": optional(Str(40, min_length=0), nullable=False), **_COLUMNS})
IMPORTED = extended(
    CSV_REPORT,
    {
        "refused": required(Str(MAX_REFUSED), nullable=True),
        "suggestedMapping": required(Str(), nullable=True),
    },
)
MERGE_BODY = schema({"otherId": required(Int(1))})
_MEMBER = schema(
    {
        "id": required(Int()),
        "name": required(Str()),
        "email": required(Str(), nullable=True),
        "phone": required(Str(), nullable=True),
        "status": required(Str()),
        "tags": required(ListOf(Str())),
        "createdAt": required(Timestamp()),
    }
)
DUPLICATES_QUERY = schema({"reason": optional(Choice(*REASONS), nullable=False)})
DUPLICATES = schema(
    {
        "reason": required(Choice(*REASONS)),
        "count": required(Int()),
        "contacts": required(ListOf(Object(_MEMBER))),
    }
)
DISMISS_BODY = schema(
    {
        "ids": required(ListOf(Int(1), max_length=MAX_SHOWN)),
        "dismissed": optional(Bool(), nullable=False),
    }
)
PERSON = schema(
    {
        "email": required(Str(), nullable=True),
        "addresses": required(ListOf(Str())),
        "leftOutAddresses": required(ListOf(Str())),
        "data": required(Anything()),
        "leftOut": required(ListOf(Str())),
    }
)
