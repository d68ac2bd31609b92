"""The queries and answers of the endpoints."""

from __future__ import annotations

from masthead import Choice, Int, Nullable, Secret, Str, Timestamp, optional, required, schema
from masthead_webhooks.models import STATES

_QUEUED = {
    "id": required(Int(), help="The id of the delivery."),
    "messageId": required(
        Str(), help="The id of the message, which a repetition has, too.", example="msg_2Kq"
    ),
    "event": required(Str(), help="The event.", example="news.published"),
    "payload": required(Str(2_048), help="The body that is sent, as text."),
    "state": required(Choice(*STATES), help="The state of the delivery."),
    "attempts": required(Int(0), help="The number of attempts."),
    "createdAt": required(Timestamp(), help="The time of the event."),
    "nextTryAt": required(Nullable(Timestamp()), help="The time of the next attempt."),
    "status": required(Nullable(Int()), help="The status of the last answer."),
    "error": required(Nullable(Str()), help="The reason of the last failure."),
    "duration": required(Nullable(Int(0)), help="The milliseconds until the last answer."),
    "response": required(Nullable(Str(2_048)), help="The beginning of the last answer."),
}
QUEUED = schema(_QUEUED, name="WebhookQueued", help="A delivery that was just queued.")
DELIVERY = schema(
    {**_QUEUED, "doneAt": required(Nullable(Timestamp()), help="The time at which it ended.")},
    name="WebhookDelivery",
    help="A call of a webhook.",
)
FILTERS = schema(
    {"state": optional(Choice(*STATES), nullable=False, help="Only deliveries in this state.")}
)
SECRET = schema(
    {
        "secret": required(Secret(), help="The new key of the signatures.", example="whsec_…"),
        "formerUntil": required(
            Nullable(Timestamp()),
            help="The time until which calls are signed with the former key, too.",
        ),
    },
    name="WebhookSecret",
    help="The new key of a webhook.",
)
