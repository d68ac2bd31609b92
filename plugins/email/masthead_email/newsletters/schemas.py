"""The bodies and responses of the endpoints of newsletters."""

from __future__ import annotations

from masthead import Bool, Email, Html, Int, ListOf, Object, Str, Timestamp, required, schema

_LARGEST_PAGE = 8 * 1024 * 1024
"""The largest HTML of the archive in bytes; filling in makes a letter longer."""
SCHEDULE = schema({"scheduled_send_at": required(Timestamp(), nullable=True)})
TEST = schema({"email": required(Email())})
AUDIENCE = schema({"count": required(Int(0))})
TESTED = schema({"success": required(Bool()), "mistakes": required(ListOf(Str()))})
_SUMMARY = {
    "id": required(Int(1)),
    "title": required(Str()),
    "subject": required(Str()),
    "language": required(Str()),
    "sentAt": required(Timestamp(), nullable=True),
    "url": required(Str()),
}
ARCHIVE = ListOf(Object(schema(_SUMMARY)))
PAGE_HTML = Html(_LARGEST_PAGE)
ARCHIVED = schema({**_SUMMARY, "html": required(PAGE_HTML)})
