"""The scene of the tests of the preference page: subscribers, their links, pages and mails."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
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
FORM = "application/x-www-form-urlencoded"


@pytest.fixture
def settings() -> Mapping[str, str]:
    return {"masthead.email.topics": "Garden, Open days", "masthead.timezone": "Asia/Tokyo"}


@dataclass
class Scene:
    """Subscribers with their links, and the reader of pages and mails."""

    app: Client
    instance: Instance
    subscribe: Callable[[str], None]
    mails: Callable[[], list[EmailMessage]]

    def link_of(self, address: str = ADA, purpose: str = "preferences", **values: Any) -> str:
        """Subscribe an address, and return the path of its preference page."""
        self.subscribe(address)
        with self.instance.database.transaction() as session:
            found = select(Subscriber).where(Subscriber.email == address)
            subscriber = session.scalars(found).one()
            for name, value in values.items():
                setattr(subscriber, name, value)
            token = sign(link_key(session), purpose, subscriber.id, address)
            return f"/api/newsletter/preferences/{token}"

    def people(self) -> dict[str, Any]:
        """Return the subscribers by address, as staff see them."""
        return {each["email"]: each for each in self.app.as_role("admin").get(STAFF).json}

    def form_of(self, page: Any, change: str) -> Any:
        """Return the form of a page for a kind of change."""
        forms = {id(it): it for it in page.forms.values() if it["change"].value == change}
        [form] = forms.values()
        return form

    def error_of(self, page: Any, name: str) -> str:
        """Return the error beside a field, which the field refers to."""
        field = page.html.find(attrs={"aria-describedby": re.compile(rf"\b{name}-error\b")})
        assert field is not None, page.text
        assert field.name == "fieldset" or field["aria-invalid"] == "true"
        return " ".join(page.html.find(id=f"{name}-error").text.split())

    def new_link(self, address: str = NEW) -> str:
        """Return the path of the link in the last mail to an address."""
        texts = [mail.get_content() for mail in self.mails() if mail["To"] == address]
        return str(re.findall(r"127\.0\.0\.1:6543(/\S+)", "".join(texts))[-1])

    def recipients(self) -> list[str]:
        """Return the recipients of all mails."""
        return sorted(str(mail["To"]) for mail in self.mails())

    def ask(self, link: str, address: str = NEW, status: int = 200) -> Any:
        """Type a new address into the form of a page."""
        return self.app.post(link, {"change": "address", "address": address}, status=status)

    def confirm(self, path: str, body: str = "", status: int = 200) -> Any:
        """Press the button of a confirmation page."""
        return self.app.post(path, body, content_type=FORM, status=status)


@pytest.fixture
def scene(clock: Clock, app: Client, instance: Instance, subscribe: Any, mails: Any) -> Scene:
    assert clock.now()
    return Scene(app, instance, subscribe, mails)
