"""A form of a visitor does the same work for every name and address, so its time tells nothing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import event, insert

from masthead import Endpoint, Instance, utcnow
from masthead.http.permissions import PUBLIC
from masthead.testing import Client, Database
from masthead_email.outbox.models import Suppression

SAMPLES = {"password": "a wrong password", "website": None, "token": "1.1.1.x", "language": "de"}
"""Values of bodies; other fields have any text."""
ADDRESSES = ("ada", "off", "in", "out", "gone", "never", "nobody")
"""A user, a disabled user, a subscriber, a former subscriber, two subscribers whose addresses are
suppressed by a failure or by staff, and somebody unknown."""


@pytest.fixture(params=["false", "true"])
def settings(request: pytest.FixtureRequest) -> Mapping[str, str]:
    return {"masthead.email.confirm": request.param, "masthead.auth.throttle": "1000"}


@pytest.fixture
def forms(instance: Instance) -> list[tuple[Endpoint, str]]:
    """Return the public endpoints that take a name or address, with the field of their bodies."""
    return [
        (endpoint, node.name)
        for endpoint in instance.endpoints
        if endpoint.permission == PUBLIC and endpoint.body is not None
        for node in endpoint.body.children
        if node.name in ("username", "email", "contactEmail")
    ]


def suppress(database: Database, address: str) -> None:
    """Suppress an address as the worker does."""
    values = {"address": address, "kind": "recipient-gone", "reason": "550", "at": utcnow()}
    with database.transaction() as session:
        session.execute(insert(Suppression).values(values))


@contextmanager
def recorded(database: Database) -> Iterator[list[str]]:
    """Record the text of all statements."""
    statements: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
        # Columns without a value are absent from an INSERT, which makes no difference.
        statements.append(" ".join(re.sub(r"(?s)(INSERT INTO \S+) .*", r"\1", statement).split()))

    engines = (database.engine, database._reader)
    for engine in engines:
        event.listen(engine, "before_cursor_execute", note)
    try:
        yield statements
    finally:
        for engine in engines:
            event.remove(engine, "before_cursor_execute", note)


def test_the_statements_of_a_form_are_the_same_for_everybody(
    app: Client,
    database: Database,
    forms: list[tuple[Endpoint, str]],
    make_user: Callable[..., Any],
) -> None:
    assert {endpoint.path for endpoint, _ in forms} >= {
        "/api/auth/login",
        "/api/auth/forgot-password",
        "/api/newsletter/subscribe",
        "/api/newsletter/unsubscribe",
    }
    admin = app.as_role("admin")
    for number, (endpoint, name) in enumerate(forms):
        addresses = {each: f"{each}{number}@example.org" for each in ADDRESSES}
        make_user(f"ada{number}", email=addresses["ada"])
        make_user(f"off{number}", email=addresses["off"], disabled=True)
        for each in ("in", "out", "gone", "never"):
            body = {"email": addresses[each]}
            made = admin.post_json("/api/staff/newsletter-subscribers", body).json
            path = f"/api/staff/newsletter-subscribers/{made['id']}"
            admin.put_json(path, {"status": "unsubscribed" if each == "out" else "subscribed"})
        admin.post_json("/api/staff/email/suppressions", {"email": addresses["never"]})
        suppress(database, addresses["gone"])
        body = {node.name: SAMPLES.get(node.name, "A text") for node in endpoint.body or ()}
        body |= {"content": "<p>A text</p>", "imageUrls": []}
        # The first request of a process also prepares what later ones share.
        app.post_json(endpoint.path, {**body, name: "first@example.org"}, status="*")
        seen = {}
        for each, address in addresses.items():
            with recorded(database) as statements:
                app.post_json(endpoint.path, {**body, name: address}, status="*")
            seen[each] = statements

        for each, statements in seen.items():
            assert statements == seen["nobody"], f"{endpoint.name} by {each}"
        assert seen["nobody"], endpoint.name
