"""The bodies and responses of the endpoints of newsletters."""

from __future__ import annotations

from masthead import Email, Timestamp, required, schema

SCHEDULE = schema({"scheduled_send_at": required(Timestamp(), nullable=True)})
TEST = schema({"email": required(Email())})
