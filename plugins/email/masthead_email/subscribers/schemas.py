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
    "email": required(Email(), help="The address."),
    "name": optional(Line(), help="The name.", example="Ada Lovelace"),
    "source": optional(Line(SOURCE), help="The place of the subscription.", example="website"),
    "language": optional(
        LanguageTag(), help="The tag of the language in which they read.", example="en"
    ),
}

SUBSCRIPTION = form(schema(_FIELDS, name="SubscriptionForm", help="A person who subscribes."))
NEW_SUBSCRIBER = schema(
    {
        **_FIELDS,
        "fields": optional(
            TextFields(),
            help="The values of the fields of `masthead.email.fields`.",
            example={"city": "Bristol"},
        ),
        "topics": optional(TOPICS, help="The topics that interest them.", example=["Garden"]),
    },
    name="SubscriberCreate",
    help="A subscriber to add.",
)
UNSUBSCRIPTION = schema(
    {"email": required(Email(), help="The address.")},
    name="UnsubscriptionForm",
    help="A person who unsubscribes.",
)

IMPORT_QUERY = schema(
    {
        "dryRun": optional(
            Bool(), nullable=False, help="Whether only to check the file and to store nothing."
        )
    }
)
IMPORT_BODY = schema(
    {
        "source": optional(
            Line(SOURCE, min_length=0),
            nullable=False,
            help="The source of rows without one.",
            example="conference",
        ),
        "charset": optional(
            Str(40, min_length=0),
            nullable=False,
            help="The character encoding of the file, if it can't be recognised.",
            example="windows-1252",
        ),
        "ignore": optional(
            Str(10_000, min_length=0),
            nullable=False,
            help="The names of columns to leave out, separated by commas.",
            example="Rating",
        ),
    },
    name="SubscriberImport",
    help="A file of subscribers, and how to read it.",
)
IMPORTED = extended(
    CSV_REPORT,
    {"updated": required(Int(), help="The number of subscribers who exist and were changed.")},
    name="SubscriberImportReport",
    help="The result of an import of subscribers.",
)
EXPORT_QUERY = schema(
    {
        "status": optional(
            Choice(*STATUSES), nullable=False, help="Only subscribers with this status."
        )
    }
)

BULK_BODY = schema(
    {
        "operation": required(Choice(*OPERATIONS), help="The operation."),
        "ids": required(
            ListOf(Int(1), unique=True), help="The ids of the subscribers.", example=[1, 2]
        ),
        "source": optional(Line(SOURCE), help="The new source.", example="conference"),
        "language": optional(LanguageTag(), help="The tag of the new language.", example="en"),
    },
    name="SubscriberBulkOperation",
    help="An operation on many subscribers.",
)
