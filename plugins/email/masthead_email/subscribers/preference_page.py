"""The values of the preference page's template."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy.orm import Session

from masthead import instance_of, language_name, texts_of, utcnow
from masthead_email.settings import TOPICS
from masthead_email.subscribers.engagement import is_tracking
from masthead_email.subscribers.models import Subscriber, active_pause
from masthead_email.subscribers.preference_form import (
    KEEP,
    LONGEST_PAUSE,
    NONE,
    REFUSED,
    Form,
    value_of,
)
from masthead_email.subscribers.preferences import Outcome

_FIELDS = ("topics", "paused_until", "language", "address")


def page_values(session: Session, outcome: Outcome) -> dict[str, object]:
    """Return the values of the page of a person, with the result of the form that they sent."""
    person, form, now = outcome.person, outcome.form, utcnow()
    choices = {}
    if person.is_subscribed and person.subscriber is not None:
        choices = _choices(session, person.subscriber, form, now)
    return {
        "email": person.address,
        "subscribed": person.is_subscribed,
        **choices,
        "done": outcome.done,
        "errors": {name: outcome.errors.get(name, "") for name in _FIELDS},
        "address": value_of(form, "address"),
    }


def _choices(
    session: Session, subscriber: Subscriber, form: Form, now: datetime
) -> dict[str, object]:
    """Return the values to choose from, and those that are chosen."""
    instance, texts = instance_of(session), texts_of(session)
    typed = value_of(form, "change") == "letters"
    topics = form.get("topics", ()) if typed else subscriber.topics or ()
    paused = active_pause(subscriber, now)
    pause = KEEP if paused is not None else NONE
    stored = subscriber.language or ""
    tags = sorted({*texts.languages, *([stored] if stored else [])})
    today = now.astimezone(texts.zone).date()
    return {
        "topics": [(topic, topic in topics) for topic in instance.settings[TOPICS]],
        "paused_until": paused,
        "pause": (value_of(form, "pause") or pause) if typed else pause,
        "until": value_of(form, "until"),
        "first_day": (today + timedelta(days=1)).isoformat(),
        "last_day": (today + LONGEST_PAUSE).isoformat(),
        "languages": [(tag, language_name(tag)) for tag in tags],
        "chosen_language": value_of(form, "language") if typed else stored,
        "tracking": is_tracking(instance) or subscriber.tracking_refused,
        "tracking_refused": (
            REFUSED in form.get("tracking", ()) if typed else subscriber.tracking_refused
        ),
    }
