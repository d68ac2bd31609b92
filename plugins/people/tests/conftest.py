"""An instance with core and people only."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from masthead import Plugin
from masthead.testing import Client
from masthead_people.plugin import plugin as people

STAFF = "/api/staff/people"


@pytest.fixture
def plugins() -> list[Plugin]:
    return [people]


@pytest.fixture
def staff(app: Client) -> Client:
    return app.as_role("editor")


@pytest.fixture
def make_person(staff: Client) -> Callable[..., Any]:
    def make(name: str = "Ada", **values: Any) -> Any:
        body = {"name": name, "role": "Treasurer", **values}
        return staff.post_json(STAFF, body).json

    return make
