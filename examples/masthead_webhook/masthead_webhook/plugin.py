"""A webhook as a plugin: a publication stores a call, which a chore makes after the commit."""

import json
import logging
from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any
from urllib.request import Request, urlopen

from sqlalchemy import select
from sqlalchemy.orm import Session

from masthead import (
    Backoff,
    Chore,
    Instance,
    Job,
    Plugin,
    Setting,
    hookimpl,
    instance_of,
    public_changes,
    url,
    utcnow,
)
from masthead_webhook.models import Base, Call

ADDRESS = Setting("masthead.webhook.address", url, "", "The address to call; blank calls none.")
BACKOFF = Backoff(first=timedelta(seconds=10), longest=timedelta(hours=6))
MOST_FAILURES = 20  # in about two days; the call is given up then


def make_calls(instance: Instance, may_continue: Callable[[], bool]) -> bool:
    """Make the calls that are due; return whether there are more."""
    while may_continue():
        with instance.database.transaction() as session:
            due = select(Call).where(Call.due_at <= utcnow()).order_by(Call.due_at).limit(1)
            call = session.scalars(due).first()
        if call is None:
            return False
        # Outside of a transaction, so that a slow program makes nobody wait.
        is_done = is_answered(instance.settings[ADDRESS], call.body)
        with instance.database.transaction() as session:
            note_result(session, session.merge(call), is_done)
    return True


def is_answered(address: str, body: Mapping[str, Any]) -> bool:
    """Call the other program, and return whether it answers with success."""
    headers = {"Content-Type": "application/json"}
    try:
        # The setting accepts only http and https.
        with urlopen(Request(address, json.dumps(body).encode(), headers), timeout=10):  # noqa: S310
            return True
    except (OSError, ValueError) as error:
        logging.getLogger(__name__).warning("The call of %s failed: %s", address, error)
        return False


def note_result(session: Session, call: Call, is_done: bool) -> None:
    """Delete a call that is done or given up; try another one again later."""
    call.failures += 1
    call.due_at = utcnow() + BACKOFF.delay(call.failures)
    if is_done or call.failures == MOST_FAILURES:
        session.delete(call)


@hookimpl
def masthead_committing(session: Session) -> None:
    """Store a call for each item that the transaction publishes."""
    if instance_of(session).settings[ADDRESS]:
        for change in public_changes(session, now := utcnow()):
            if change.change == "published":
                body = {"type": change.content_type, "id": change.item_id, "slug": change.slug}
                session.add(Call(body=body, due_at=change.due or now))


@hookimpl
def masthead_settings() -> list[Setting[Any]]:
    """Return the address."""
    return [ADDRESS]


@hookimpl
def masthead_jobs() -> list[Job | Chore]:
    """Return the chore."""
    return [Chore("webhook.calls", timedelta(seconds=5), make_calls)]


plugin = Plugin("webhook", hooks=(__name__,), base=Base, migrations="masthead_webhook.migrations")
