"""The queries and answers of the endpoints."""

from __future__ import annotations

from masthead import Choice, Int, Nullable, Secret, Str, Timestamp, optional, required, schema
from masthead_webhooks.models import STATES

_QUEUED = {
    "id": required(Int()),
    "messageId": required(Str()),
    "event": required(Str()),
    "payload": required(Str(2_048)),
    "state": required(Choice(*STATES)),
    "attempts": required(Int(0)),
    "createdAt": required(Timestamp()),
    "nextTryAt": required(Nullable(Timestamp())),
    "status": required(Nullable(Int())),
    "error": required(Nullable(Str())),
    "duration": required(Nullable(Int(0))),
    "response": required(Nullable(Str(2_048))),
}
QUEUED = schema(_QUEUED)
DELIVERY = schema({**_QUEUED, "doneAt": required(Nullable(Timestamp()))})
FILTERS = schema({"state": optional(Choice(*STATES), nullable=False)})
SECRET = schema({"secret": required(Secret()), "formerUntil": required(Nullable(Timestamp()))})
