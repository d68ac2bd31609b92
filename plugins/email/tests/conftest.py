"""Fixtures: an instance with the e-mail plugin only, and a test relay."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from masthead import Instance, Plugin, utcnow
from masthead.testing import Client
from masthead_email.outbox import messages
from masthead_email.outbox.models import (
    COMPOSED,
    DONE,
    FAILED,
    SENT,
    STATES,
    Delivery,
    Message,
    Suppression,
)
from masthead_email.plugin import plugin as email
from masthead_email.settings import TRANSPORT

_spec = importlib.util.spec_from_file_location("sink", Path(__file__).with_name("sink.py"))
assert _spec is not None
assert _spec.loader is not None
sink = sys.modules.setdefault("sink", importlib.util.module_from_spec(_spec))
_spec.loader.exec_module(sink)


PEOPLE = tuple(f"{name}@example.org" for name in ("ada", "bob", "cy", "dee"))
"""The recipients of the mail that the fixture ``send`` sends."""


@dataclass
class Sent:
    """A newsletter or composed e-mail to four recipients."""

    path: str
    staff: Client
    answer: dict[str, Any] = field(default_factory=dict)

    def report(self, client: Client | None = None) -> dict[str, Any]:
        found: dict[str, Any] = (client or self.staff).get(f"{self.path}/deliveries").json
        return found

    def counts(self) -> dict[str, int]:
        found = self.report()
        return {state: found[state] for state in STATES if found[state]}

    def recipients(self, **query: Any) -> list[Any]:
        found: list[Any] = self.staff.get(f"{self.path}/recipients", query).json
        return found

    def retry(self, **body: Any) -> dict[str, Any]:
        done: dict[str, Any] = self.staff.post_json(f"{self.path}/retry", body).json
        return done


@pytest.fixture
def plugins() -> list[Plugin]:
    return [email]


@pytest.fixture
def relay() -> Iterator[Callable[..., Any]]:
    """Return a function that starts a relay and returns its behaviour, with its ``port``."""
    with ExitStack() as running:

        def start(**options: Any) -> Any:
            behaviour = sink.Behaviour(**options)
            behaviour.port = running.enter_context(sink.sink(behaviour))
            return behaviour

        yield start


@pytest.fixture
def send_by(instance: Instance, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Return a function that sets the transport."""

    def choose(address: str) -> None:
        # Other tests may use the same instance.
        monkeypatch.setitem(instance.settings._values, TRANSPORT.name, address)

    return choose


@pytest.fixture
def staff(app: Client) -> Client:
    """A client that may write mail and approve nothing."""
    return app.as_role("editor")


@pytest.fixture
def approver(app: Client) -> Client:
    """A client that may approve newsletters."""
    return app.as_role("admin")


@pytest.fixture
def subscribe(app: Client) -> Callable[..., None]:
    """Return a function that subscribes addresses by the public endpoint."""

    def send(*addresses: str) -> None:
        for address in addresses:
            app.post_json("/api/newsletter/subscribe", {"email": address})

    return send


@pytest.fixture
def suppress(instance: Instance) -> Callable[..., None]:
    """Return a function that suppresses an address, by default on the first day of May."""

    def store(address: str, kind: str = "recipient-gone", day: int = 1, **values: Any) -> None:
        at = datetime(2026, 5, day, tzinfo=UTC)
        values = {"reason": "550 5.1.1 Unknown", **values}
        with instance.database.transaction() as session:
            session.add(Suppression(address=address, kind=kind, at=at, **values))

    return store


@pytest.fixture
def make_newsletter(staff: Client, approver: Client) -> Callable[..., Any]:
    """Return a function that creates newsletters, approved by default."""

    def make(*, approved: bool = True, **fields: Any) -> Any:
        body = {"title": "May", "subject": "News of May", "html_content": "<p>Hello {{name}}</p>"}
        made = staff.post_json("/api/staff/newsletters", body | fields).json
        if approved:
            item = {"contentType": "newsletters", "contentId": made["id"]}
            staff.post_json("/api/staff/approval/request", item)
            approver.post_json("/api/staff/approval/approve", item)
        return approver.get(f"/api/staff/newsletters/{made['id']}").json

    return make


@pytest.fixture
def deliver(work: Callable[..., None]) -> Callable[[], None]:
    """Return a function that runs the worker with all its chores due."""
    return lambda: work("email.")


@pytest.fixture
def relayed(relay: Any, send_by: Any) -> Any:
    """A running relay that is set as the transport."""
    here = relay()
    send_by(f"smtp://127.0.0.1:{here.port}")
    return here


@pytest.fixture(params=["/api/staff/newsletters", "/api/staff/compose-emails"])
def draft(
    request: pytest.FixtureRequest, staff: Client, subscribe: Any, make_newsletter: Any
) -> Sent:
    """A newsletter for four subscribers, or a composed e-mail to four recipients."""
    if request.param == "/api/staff/newsletters":
        subscribe(*PEOPLE)
        made = make_newsletter()
    else:
        body = {"subject": "May", "html_content": "<p>Hello</p>", "recipient_emails": list(PEOPLE)}
        made = staff.post_json("/api/staff/compose-emails", body).json
    return Sent(f"{request.param}/{made['id']}", staff)


@pytest.fixture
def send(draft: Sent) -> Callable[[], Sent]:
    """Return a function that sends the mail."""

    def post() -> Sent:
        draft.answer = draft.staff.post_json(f"{draft.path}/send", {}).json
        return draft

    return post


@pytest.fixture
def fail(instance: Instance) -> Callable[..., None]:
    """Return a function that makes the deliveries to addresses fail, and finishes the message."""

    def store(failures: Mapping[str, str | None]) -> None:
        with instance.database.transaction() as session:
            for address, failure in failures.items():
                session.execute(
                    update(Delivery)
                    .where(Delivery.address == address, Delivery.state != SENT)
                    .values(
                        state=FAILED,
                        failure=failure,
                        last_error=f"{address}: no",
                        done_at=utcnow(),
                        attempts=3,
                    )
                )
            session.execute(update(Message).values(state=DONE))

    return store


@pytest.fixture
def queue(instance: Instance) -> Callable[..., int]:
    """Return a function that queues a message for recipients and returns its id."""

    def put(
        recipients: int | Iterable[str], kind: str = COMPOSED, prefix: str = "a", **values: Any
    ) -> int:
        if isinstance(recipients, int):
            recipients = [f"{prefix}{n}@example.net" for n in range(recipients)]
        mail = {"source_id": 1, "subject": "News", "html": None, "text": "Hi", **values}
        with instance.database.transaction() as session:
            message = messages.create_message(session, kind=kind, **mail)
            messages.add_recipients(session, message, [(each, None) for each in recipients])
            return message.id

    return put
