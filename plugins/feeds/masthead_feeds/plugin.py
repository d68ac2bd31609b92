"""How feeds joins Masthead: settings, and endpoints made from what content types declare."""

from __future__ import annotations

from typing import Any

from masthead import Endpoint, Instance, Plugin, Setting, hookimpl
from masthead_feeds.settings import CRAWLERS, DESCRIPTION, LANGUAGE, SITEMAP_SIZE, TITLE
from masthead_feeds.views import endpoints


class Hooks:
    """What feeds answers to core's hooks."""

    @hookimpl
    def masthead_settings(self) -> list[Setting[Any]]:
        """What feeds call themselves, and what crawlers may do."""
        return [TITLE, DESCRIPTION, LANGUAGE, CRAWLERS, SITEMAP_SIZE]

    @hookimpl
    def masthead_routes(self, instance: Instance) -> list[Endpoint]:
        """Feeds, sitemap and robots.txt."""
        return endpoints(instance)


plugin = Plugin(name="feeds", hooks=(Hooks(),))
