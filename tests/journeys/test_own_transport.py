"""The transport of a third party that the documentation of e-mail shows."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from masthead import Instance, Mail, Plugin
from masthead_email.plugin import plugin as email

PAGE = Path(__file__).parents[2] / "docs" / "email.md"
Released = list[tuple[str, bytes, bytes]]


@pytest.fixture
def released() -> Released:
    return []


@pytest.fixture
def plugins(released: Released) -> list[Plugin]:
    [example] = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    module = ModuleType("email_page")
    vars(module)["release_pigeon"] = lambda *given: released.append(given)
    exec(example, vars(module))
    return [email, Plugin("pigeons", hooks=(module,))]


@pytest.fixture
def settings() -> dict[str, str]:
    return {"masthead.email.transport": "pigeon://loft"}


def test_the_documented_transport_gets_the_messages(
    instance: Instance, work: Callable[[], None], released: Released
) -> None:
    with instance.database.transaction() as session:
        mail = Mail(to="ada@example.org", kind="greeting", subject="Hi", text="How are you?")
        instance.hooks.masthead_deliver_mail(session=session, mail=mail)

    work()

    [(loft, recipient, content)] = released
    assert (loft, recipient) == ("pigeon://loft", b"ada@example.org")
    assert b"How are you?" in content
