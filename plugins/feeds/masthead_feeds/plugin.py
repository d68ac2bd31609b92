"""How feeds joins Masthead: settings, and endpoints made from what content types declare."""

from __future__ import annotations

from functools import partial
from typing import Any

from masthead import PUBLIC, Endpoint, Instance, Plugin, Setting, content_types_of, hookimpl
from masthead_feeds import views
from masthead_feeds.feeds import FeedWriter, feed_path
from masthead_feeds.settings import CRAWLERS, DESCRIPTION, LANGUAGE, SITEMAP_SIZE, TITLE
from masthead_feeds.sitemap import SitemapWriter


class Hooks:
    """What feeds answers to core's hooks."""

    @hookimpl
    def masthead_settings(self) -> list[Setting[Any]]:
        """What feeds call themselves, and what crawlers may do."""
        return [TITLE, DESCRIPTION, LANGUAGE, CRAWLERS, SITEMAP_SIZE]

    @hookimpl
    def masthead_routes(self, instance: Instance) -> list[Endpoint]:
        """Feeds, sitemap and robots.txt."""
        sitemap = SitemapWriter(instance)
        return [
            *_feeds(instance),
            Endpoint(
                name="feeds.sitemap",
                method="GET",
                path="/sitemap.xml",
                view=partial(views.show_sitemap, sitemap),
                permission=PUBLIC,
                summary="Show the sitemap, or the index of its parts",
                returns=views.XML,
                keep=True,
            ),
            Endpoint(
                name="feeds.sitemap_part",
                method="GET",
                path="/sitemap-{id}.xml",
                view=partial(views.show_sitemap_part, sitemap),
                permission=PUBLIC,
                summary="Show a part of a long sitemap",
                returns=views.XML,
                keep=True,
            ),
            Endpoint(
                name="feeds.robots",
                method="GET",
                path="/robots.txt",
                view=views.show_robots,
                permission=PUBLIC,
                summary="Show the rules for crawlers",
                returns=views.TEXT,
                keep=True,
            ),
        ]


def _feeds(instance: Instance) -> list[Endpoint]:
    """The feed of each content type that declares one."""
    return [
        Endpoint(
            name=f"feeds.rss.{kind.name}",
            method="GET",
            path=feed_path(kind),
            view=partial(views.show_feed, FeedWriter(instance, kind, kind.feed)),
            permission=PUBLIC,
            summary=f"Show the newest of {kind.name} as RSS",
            returns=views.RSS,
            keep=True,
        )
        for kind in content_types_of(instance)
        if kind.feed is not None
    ]


plugin = Plugin(name="feeds", hooks=(Hooks(),))
