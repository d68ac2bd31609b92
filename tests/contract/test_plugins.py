"""The plugins without content types of their own fulfil the contract of plugins."""

from __future__ import annotations

import pytest

from masthead.instance import Instance
from masthead.testing import PluginContract
from masthead.testing.owned import Owned


@pytest.mark.parametrize(
    "plugin_name",
    ["apitokens", "cdn", "email", "feeds", "importers", "media", "oidc", "totp", "webhooks"],
)
class TestPlugins(PluginContract):
    @pytest.fixture
    def plugins(self, plugin_name: str) -> list[str]:
        return [plugin_name]

    @pytest.fixture
    def owned(self, instance: Instance, plugin_name: str) -> Owned:
        return Owned(instance, plugin_name)
