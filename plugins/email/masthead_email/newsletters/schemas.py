"""The bodies and responses of the endpoints of newsletters."""

from __future__ import annotations

from masthead import Bool, Email, Html, Int, ListOf, Object, Str, Timestamp, required, schema
from masthead_email.outbox.models import STATES

_LARGEST_PAGE = 8 * 1024 * 1024
"""The largest HTML of the archive in bytes; filling in makes a letter longer."""
SENT = schema({"success": required(Bool()), "sentTo": required(Int())})
SCHEDULE = schema({"scheduled_send_at": required(Timestamp(), nullable=True)})
TEST = schema({"email": required(Email())})
AUDIENCE = schema({"count": required(Int(0))})
TESTED = schema({"success": required(Bool()), "mistakes": required(ListOf(Str()))})
_FAILURE = schema(
    {
        "email": required(Email()),
        "error": required(Str()),
        "at": required(Timestamp(), nullable=True),
    }
)
_SUMMARY = {
    "id": required(Int(1)),
    "title": required(Str()),
    "subject": required(Str()),
    "sentAt": required(Timestamp(), nullable=True),
    "url": required(Str()),
}
ARCHIVE = ListOf(Object(schema(_SUMMARY)))
PAGE_HTML = Html(_LARGEST_PAGE)
ARCHIVED = schema({**_SUMMARY, "html": required(PAGE_HTML)})
DELIVERIES = schema(
    {
        **{state: required(Int(0)) for state in STATES},
        "failures": required(ListOf(Object(_FAILURE))),
        "leftOut": required(ListOf(Str())),
    }
)
