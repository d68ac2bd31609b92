"""Bodies, queries and answers beyond the fields of contacts, stages and rules."""

from __future__ import annotations

from masthead import (
    CSV_REPORT,
    USER_REFERENCE,
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
    "id": required(Int(), help="The id of the entry."),
    "stage": required(Str(), help="The name of the stage.", example="First meeting"),
    "interactionType": required(
        Str(), nullable=True, help="The kind of the interaction.", example="Call"
    ),
    "notes": required(Str(NOTES), nullable=True, help="Remarks of staff."),
    "createdAt": required(Timestamp(), help="The time of the interaction."),
}
ENTRY = schema(
    {
        **_ENTRY,
        "createdBy": required(Nullable(Object(USER_REFERENCE)), help="The user who logged it."),
    },
    name="ProgressionEntry",
    help="A stage that a contact has reached, with the user who logged it.",
)
ENTRY_BODY = schema(
    {
        "stageId": required(Int(1), help="The id of the stage that the contact reaches."),
        "interactionType": optional(Line(), help="The kind of the interaction.", example="Call"),
        "notes": optional(Str(NOTES), help="Remarks of staff."),
    },
    name="ProgressionEntryCreate",
    help="A stage that a contact reaches, to log.",
)

_OWN_ENTRY = schema(
    _ENTRY, name="ContactStage", help="A stage that a contact has reached, and the interaction."
)
_MAIL = schema(
    {
        "id": required(Int(), help="The id of the mail."),
        "subject": required(Str(), help="The subject.", example="News in March"),
        "kind": required(
            Str(),
            help="The kind of the mail, such as newsletter, composed or follow-up.",
            example="newsletter",
        ),
        "status": required(Choice("queued", "sent", "failed"), help="The state of the delivery."),
        "sentAt": required(Timestamp(), nullable=True, help="The time at which it was sent."),
    },
    name="ContactMail",
    help="A mail to a contact.",
)
_OPEN_ITEM = schema(
    {
        "id": required(Int(), help="The id of the follow-up."),
        "ruleName": required(
            Str(), help="The name of the rule that made it.", example="Call new members"
        ),
        "dueDate": required(Timestamp(), help="The time at which it is due."),
        "catchupType": required(Str(), help="The kind of the follow-up.", example="Call"),
        "status": required(Choice(PENDING, OVERDUE), help="Whether it is due."),
    },
    name="ContactFollowUp",
    help="An open follow-up of a contact.",
)
LEFT_OUT = "The kinds of data that the caller may not read."
CONTACT_DETAILS = {
    "progression": ListOf(Object(_OWN_ENTRY)).described(
        "The stages that the contact has reached, newest first."
    ),
    "emailHistory": ListOf(Object(_MAIL)).described("The mails to the contact, newest first."),
    "followUps": ListOf(Object(_OPEN_ITEM)).described("The open follow-ups."),
    "leftOut": ListOf(Str()).described(LEFT_OUT),
}

_DASHBOARD_ITEM = schema(
    {
        "id": required(Int(), help="The id of the follow-up."),
        "contactId": required(Int(), help="The id of the contact."),
        "contactName": required(Str(), help="The name of the contact.", example="Ada Lovelace"),
        "ruleName": required(
            Str(), help="The name of the rule that made it.", example="Call new members"
        ),
        "dueDate": required(Timestamp(), help="The time at which it is due."),
        "catchupType": required(Str(), help="The kind of the follow-up.", example="Call"),
    },
    name="FollowUp",
    help="A reminder to contact somebody.",
)
DASHBOARD = schema(
    {
        PENDING: required(ListOf(Object(_DASHBOARD_ITEM)), help="Those that are due later."),
        OVERDUE: required(ListOf(Object(_DASHBOARD_ITEM)), help="Those that are due by now."),
        "completed": required(
            ListOf(Object(_DASHBOARD_ITEM)), help="The last 100 that were completed, newest first."
        ),
    },
    name="FollowUpDashboard",
    help="The follow-ups of all contacts.",
)

EXPORT_QUERY = schema(
    {"format": optional(Choice(*KINDS), nullable=False, help="The format of the file.")}
)
_COLUMNS = {
    "map": optional(
        Str(MAX_MAP, min_length=0),
        nullable=False,
        help="The field of each column as a JSON object, instead of the names of the columns.",
        example='{"E-Mail 1": "email"}',
    ),
    "mapping": optional(
        Str(min_length=0),
        nullable=False,
        help="The name of a stored mapping.",
        example="Membership tool",
    ),
    "sheet": optional(
        Str(min_length=0),
        nullable=False,
        help="The name of the sheet of a workbook.",
        example="Contacts",
    ),
}
IMPORT_QUERY = schema(
    {
        "dryRun": optional(
            Bool(), nullable=False, help="Whether only to check the file and to store nothing."
        ),
        "refused": optional(
            Bool(), nullable=False, help="Whether to answer the refused rows as a table."
        ),
        "repeat": optional(
            Bool(), nullable=False, help="Whether to import a file again that was imported before."
        ),
        **_COLUMNS,
    }
)
IMPORT_BODY = schema(
    {
        "charset": optional(
            Str(40, min_length=0),
            nullable=False,
            help="The character encoding of the file, if it can't be recognised.",
            example="windows-1252",
        ),
        **_COLUMNS,
    },
    name="ContactImport",
    help="A file of contacts, and how to read it.",
)
IMPORTED = extended(
    CSV_REPORT,
    {
        "refused": required(
            Str(MAX_REFUSED),
            nullable=True,
            help="The refused rows as a CSV file; null if there are none or nobody has asked.",
        ),
        "suggestedMapping": required(
            Str(), nullable=True, help="The name of the stored mapping that suits the file."
        ),
    },
    name="ContactImportReport",
    help="The result of an import of contacts.",
)
MERGE_BODY = schema(
    {"otherId": required(Int(1), help="The id of the contact that is merged and deleted.")},
    name="ContactMerge",
    help="The contact to merge into another one.",
)
_MEMBER = schema(
    {
        "id": required(Int(), help="The id of the contact."),
        "name": required(Str(), help="The name.", example="Ada Lovelace"),
        "email": required(Str(), nullable=True, help="The e-mail address."),
        "phone": required(
            Str(), nullable=True, help="The telephone number.", example="+44 20 7946 0018"
        ),
        "status": required(Str(), help="The relation to the organisation."),
        "tags": required(ListOf(Str()), help="The tags.", example=["Volunteer"]),
        "createdAt": required(Timestamp(), help="The time of its creation."),
    },
    name="DuplicateContact",
    help="A contact that may be the same person as another one.",
)
DUPLICATES_QUERY = schema(
    {"reason": optional(Choice(*REASONS), nullable=False, help="Only groups with this reason.")}
)
DUPLICATES = schema(
    {
        "reason": required(Choice(*REASONS), help="The reason why they may be one person."),
        "count": required(Int(), help="The number of contacts in the group."),
        "contacts": required(
            ListOf(Object(_MEMBER)), help="The contacts, of large groups the first ones."
        ),
    },
    name="DuplicateContacts",
    help="Contacts that may be one person.",
)
DISMISS_BODY = schema(
    {
        "ids": required(
            ListOf(Int(1), max_length=MAX_SHOWN), help="The ids of the contacts.", example=[1, 2]
        ),
        "dismissed": optional(Bool(), nullable=False, help="False withdraws an earlier record."),
    },
    name="DuplicatesDismissal",
    help="Contacts that are known to be different persons.",
)
PERSON = schema(
    {
        "email": required(Str(), nullable=True, help="The e-mail address of the person."),
        "addresses": required(ListOf(Str()), help="All addresses of the person."),
        "leftOutAddresses": required(
            ListOf(Str()), help="Former addresses that belong to somebody else now."
        ),
        "data": required(Anything(), help="The data about the person, by kind."),
        "leftOut": required(ListOf(Str()), help="The kinds of data that the caller may not read."),
        "notSearched": required(
            ListOf(Str()),
            help="The disabled or removed plugins whose tables are still there, and may hold data"
            " of the person.",
        ),
    },
    name="PersonData",
    help="All that the plugins know about a person.",
)
