"""Fixtures: subscribers with links to their preference pages, and helpers to read the pages."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from email.message import EmailMessage
from typing import Any

import pytest
from sqlalchemy import select

from masthead import Instance
from masthead.testing import Client, Clock
from masthead_email.subscribers.links import link_key, sign
from masthead_email.subscribers.models import Subscriber

STAFF = "/api/staff/newsletter-subscribers"
ADA, NEW = "ada@example.org", "ada@new.example"


@pytest.fixture
def settings() -> Mapping[str, str]:
    return {"masthead.email.topics": "Garden, Open days", "masthead.timezone": "Asia/Tokyo"}


@pytest.fixture
def link_of(clock: Clock, instance: Instance, subscribe: Any) -> Callable[..., str]:
    """Return a function that subscribes an address and returns the link to its page."""
    assert clock.now()

    def path(address: str = ADA, purpose: str = "preferences", **values: Any) -> str:
        subscribe(address)
        with instance.database.transaction() as session:
            found = select(Subscriber).where(Subscriber.email == address)
            subscriber = session.scalars(found).one()
            for name, value in values.items():
                setattr(subscriber, name, value)
            token = sign(link_key(session), purpose, subscriber.id)
            return f"/api/newsletter/preferences/{token}"

    return path


@pytest.fixture
def people(app: Client) -> Callable[[], dict[str, Any]]:
    """Return a function that returns the subscribers by address, as staff see them."""

    def listed() -> dict[str, Any]:
        return {each["email"]: each for each in app.as_role("admin").get(STAFF).json}

    return listed


@pytest.fixture
def form_of() -> Callable[[Any, str], Any]:
    """Return a function that returns the form of a page for a kind of change."""

    def find(page: Any, change: str) -> Any:
        forms = {id(it): it for it in page.forms.values() if it["change"].value == change}
        [form] = forms.values()
        return form

    return find


@pytest.fixture
def error_of() -> Callable[[Any, str], str]:
    """Return a function that returns the error beside a field, which the field refers to."""

    def find(page: Any, name: str) -> str:
        field = page.html.find(attrs={"aria-describedby": re.compile(rf"\b{name}-error\b")})
        assert field is not None, page.text
        assert field.name == "fieldset" or field["aria-invalid"] == "true"
        return " ".join(page.html.find(id=f"{name}-error").text.split())

    return find


@pytest.fixture
def new_link(mails: Callable[[], list[EmailMessage]]) -> Callable[..., str]:
    """Return a function that returns the path of the link in the last mail to an address."""

    def find(address: str = NEW) -> str:
        texts = [mail.get_content() for mail in mails() if mail["To"] == address]
        return str(re.findall(r"127\.0\.0\.1:6543(/\S+)", "".join(texts))[-1])

    return find


@pytest.fixture
def recipients(mails: Callable[[], list[EmailMessage]]) -> Callable[[], list[str]]:
    """Return a function that returns the recipients of all mails."""
    return lambda: sorted(str(mail["To"]) for mail in mails())
