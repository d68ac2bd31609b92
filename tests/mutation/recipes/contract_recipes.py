"""Recipes fulfil the contract of content types."""

from __future__ import annotations

import pytest

from masthead import Plugin
from masthead.core_plugin import plugin as core
from masthead.testing import ContentTypeContract
from masthead_recipes.plugin import RECIPES, plugin

PLUGINS = [core, plugin]


@pytest.fixture
def plugins() -> list[Plugin]:
    return PLUGINS


class TestRecipes(ContentTypeContract):
    content_type = RECIPES
    staff_only = ("kitchenNote",)
