"""Fixtures: an instance with the e-mail plugin only, and a test relay."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from masthead import Instance, Plugin
from masthead.testing import Client
from masthead_email.plugin import plugin as email
from masthead_email.settings import TRANSPORT

_spec = importlib.util.spec_from_file_location("sink", Path(__file__).with_name("sink.py"))
assert _spec is not None
assert _spec.loader is not None
sink = sys.modules.setdefault("sink", importlib.util.module_from_spec(_spec))
_spec.loader.exec_module(sink)


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
