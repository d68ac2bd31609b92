"""Fixtures: core and actions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from masthead import Plugin
from masthead.testing import Client, Desk
from masthead_actions.plugin import plugin as actions


@pytest.fixture
def plugins() -> list[Plugin]:
    return [actions]


@pytest.fixture
def desk(app: Client) -> Desk:
    """Return an editor's desk for actions."""
    return Desk(app, "actions").as_role("editor")


@pytest.fixture
def make_tag(app: Client) -> Callable[[str], Any]:
    return lambda name: app.as_role("editor").post_json("/api/staff/tags", {"name": name}).json
