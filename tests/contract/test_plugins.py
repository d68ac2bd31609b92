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

NOT_BY_STAFF = {"contact-messages", "newsletter-subscribers", "proposals", "static-images"}
"""The kinds of items that staff don't create."""
WITH_RULES = {"compose-emails", "email-templates", "follow-up-rules", "newsletters"}
"""The kinds whose rules refuse samples: they need a text or a stage."""
REFUSED = NOT_BY_STAFF | WITH_RULES, NOT_BY_STAFF | WITH_RULES | {"webhooks"}
"""The kinds without a first and a second item; the second sample of a URL is a path."""


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


@pytest.mark.parametrize("which", [0, 1])
def test_contracts_make_an_item_of_each_kind_that_accepts_samples(
    app: Client, instance: Instance, which: int
) -> None:
    kinds = declared_in(instance).kinds
    fields = [reference(name) for name in kinds]

    made = make_targets(app, instance, "gardens", fields, which)

    assert made.keys() == kinds.keys() - REFUSED[which]
    for name, item_id in made.items():
        path = getattr(kinds[name], "path", name)
        assert app.as_role("admin").get(f"/api/staff/{path}/{item_id}").json["id"] == item_id
