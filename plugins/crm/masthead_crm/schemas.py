"""Bodies, queries and answers beyond the fields of contacts, stages and rules."""

from __future__ import annotations

from masthead import (
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
    optional,
    required,
    schema,
)
from masthead_crm.models import NOTES
from masthead_crm.services.follow_ups import OVERDUE, PENDING

_ENTRY = {
    "id": required(Int()),
    "stage": required(Str()),
    "interactionType": required(Str(), nullable=True),
    "notes": required(Str(NOTES), nullable=True),
    "createdAt": required(Timestamp()),
}
_AUTHOR = Object(schema({"id": required(Int()), "username": required(Str())}))
ENTRY = schema({**_ENTRY, "createdBy": required(Nullable(_AUTHOR))})
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

IMPORT_QUERY = schema({"dryRun": optional(Bool(), nullable=False)})
IMPORT_BODY = schema({"charset": optional(Str(40, min_length=0), nullable=False)})
MERGE_BODY = schema({"otherId": required(Int(1))})
PERSON = schema(
    {
        "email": required(Str(), nullable=True),
        "data": required(Anything()),
        "leftOut": required(ListOf(Str())),
    }
)
