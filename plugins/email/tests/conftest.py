"""E-mail beside core, and nothing else."""

from __future__ import annotations

import pytest

from masthead import Plugin
from masthead_email.plugin import plugin as email


@pytest.fixture
def plugins() -> list[Plugin]:
    return [email]
