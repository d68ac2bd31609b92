"""The plugins without content types of their own fulfil the contract of plugins."""

from __future__ import annotations

import pytest

from masthead.instance import Instance
from masthead.references.declared import declared_in
from masthead.schemas.fields import Field
from masthead.schemas.references import Ref
from masthead.schemas.schema import Nullable
from masthead.testing import Client, PluginContract
from masthead.testing.owned import Owned
from masthead.testing.targets import make_targets

MADE_BY_THE_PROGRAM = {"contact-messages", "proposals", "static-images"}
"""The kinds of items that staff don't create."""


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


def reference(target: str) -> Field:
    """Return an optional field that refers to items of a kind."""
    return Field(
        name=target,
        attribute=target,
        kind=Nullable(Ref(target)),
        default=lambda: None,
        required=False,
        listed=True,
        public=True,
        staged=True,
        help="",
        example=None,
    )


def test_contracts_make_items_of_all_kinds_that_staff_create(
    app: Client, instance: Instance
) -> None:
    kinds = declared_in(instance).kinds
    fields = [reference(name) for name in kinds]

    first, second = (make_targets(app, instance, "gardens", fields, each) for each in (0, 1))

    assert first.keys() == second.keys() == kinds.keys() - MADE_BY_THE_PROGRAM
    assert [name for name in first if first[name] == second[name]] == []
