"""The bodies and responses of the endpoints of newsletters."""

from __future__ import annotations

from masthead import Bool, Email, ListOf, Str, Timestamp, required, schema

SCHEDULE = schema({"scheduled_send_at": required(Timestamp(), nullable=True)})
TEST = schema({"email": required(Email())})
TESTED = schema({"success": required(Bool()), "mistakes": required(ListOf(Str()))})
