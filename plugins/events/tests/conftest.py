"""Events beside core, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from masthead import Plugin
from masthead.testing import Desk
from masthead.testing.client import Client
from masthead_events.plugin import plugin as events


@pytest.fixture
def plugins() -> list[Plugin]:
    return [events]


@pytest.fixture
def desk(app: Client) -> Desk:
    """Events, as an editor uses them."""
    return Desk(app, "events").as_role("editor")


@pytest.fixture
def make_tag(app: Client) -> Callable[[str], Any]:
    return lambda name: app.as_role("editor").post_json("/api/staff/tags", {"name": name}).json
