"""Fixtures: core and news."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from masthead import Plugin
from masthead.testing import Client, Desk
from masthead_news.plugin import plugin as news


@pytest.fixture
def plugins() -> list[Plugin]:
    return [news]


@pytest.fixture
def desk(app: Client) -> Desk:
    """Return an editor's desk for news."""
    return Desk(app, "news").as_role("editor")


@pytest.fixture
def make_tag(app: Client) -> Callable[[str], Any]:
    return lambda name: app.as_role("editor").post_json("/api/staff/tags", {"name": name}).json
