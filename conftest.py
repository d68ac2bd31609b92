"""Marks for choosing among the tests; ``slow`` is written at those it is true of."""

from __future__ import annotations

import pytest


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what runs on the database that is asked for: the rest needs no run on each."""
    for item in items:
        if "postgresql_server" in getattr(item, "fixturenames", ()):
            item.add_marker("database")
