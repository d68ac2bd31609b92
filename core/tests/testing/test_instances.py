"""Tests open instances with the plugins that they enable, and no others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.metadata import EntryPoint

import pytest

from masthead.instance import Instance
from masthead.plugins import ENTRY_POINT_GROUP, Installed, Plugin
from masthead.testing import Client

PLUGIN = Plugin(name="garden", hooks=())
POINTS = [
    EntryPoint("core", "masthead.core_plugin:plugin", ENTRY_POINT_GROUP),
    EntryPoint("broken", "no_such_module:plugin", ENTRY_POINT_GROUP),
]


@pytest.fixture
def plugins() -> Sequence[Plugin]:
    return [PLUGIN]


@pytest.fixture
def _available() -> Mapping[str, Plugin]:
    return Installed(POINTS).adding({"garden": PLUGIN})


def test_an_installed_plugin_that_is_broken_and_not_enabled_stops_no_test(
    app: Client, instance: Instance
) -> None:
    assert [plugin.name for plugin in instance.plugins] == ["core", "garden"]
    app.get("/readyz")
