"""Core is tested without other installed plugins."""

from __future__ import annotations

import pytest

from masthead.core_plugin import plugin as core
from masthead.plugins import Plugin


@pytest.fixture
def plugins() -> list[Plugin]:
    return [core]
