"""The bodies and responses of the endpoints of subscribers."""

from __future__ import annotations

from masthead import Bool, Email, Line, Str, form, optional, required, schema
from masthead_email.subscribers.fields import TextFields
from masthead_email.subscribers.models import SOURCE, TOPICS

_FIELDS = {
    "email": required(Email()),
    "name": optional(Line()),
    "source": optional(Line(SOURCE)),
}

SUBSCRIPTION = form(schema(_FIELDS))
NEW_SUBSCRIBER = schema({**_FIELDS, "fields": optional(TextFields()), "topics": optional(TOPICS)})
UNSUBSCRIPTION = schema({"email": required(Email())})
ANSWER = schema({"success": required(Bool()), "message": required(Str())})
