"""The bodies and responses of the endpoints of newsletters."""

from __future__ import annotations

from masthead import Bool, Email, Int, ListOf, Object, Str, Timestamp, required, schema
from masthead_email.outbox.models import STATES

SENT = schema({"success": required(Bool()), "sentTo": required(Int())})
SCHEDULE = schema({"scheduled_send_at": required(Timestamp(), nullable=True)})
TEST = schema({"email": required(Email())})
TESTED = schema({"success": required(Bool()), "mistakes": required(ListOf(Str()))})
_FAILURE = schema(
    {
        "email": required(Email()),
        "error": required(Str()),
        "at": required(Timestamp(), nullable=True),
    }
)
DELIVERIES = schema(
    {
        **{state: required(Int(0)) for state in STATES},
        "failures": required(ListOf(Object(_FAILURE))),
        "leftOut": required(ListOf(Str())),
    }
)
