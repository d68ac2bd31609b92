"""Feeds as a plugin: RSS, sitemap and robots.txt, made from the content types' declarations."""

from __future__ import annotations

from functools import partial
from typing import Any

from masthead import (
    PUBLIC,
    Endpoint,
    Instance,
    Plugin,
    Setting,
    content_types_of,
    endpoints_in,
    hookimpl,
)
from masthead_feeds import views
from masthead_feeds.feeds import FeedWriter, feed_path
from masthead_feeds.settings import CRAWLERS, DESCRIPTION, LANGUAGE, SITEMAP_SIZE, TITLE
from masthead_feeds.sitemap import SitemapWriter


@hookimpl
def masthead_settings() -> list[Setting[Any]]:
    """Return the settings of feeds, sitemap and crawlers."""
    return [TITLE, DESCRIPTION, LANGUAGE, CRAWLERS, SITEMAP_SIZE]


@hookimpl
def masthead_routes(instance: Instance) -> list[Endpoint]:
    """Return the endpoints of feeds, sitemap and robots.txt."""
    return [*_feeds(instance), *_sitemaps(instance), *endpoints_in(views)]


def _feeds(instance: Instance) -> list[Endpoint]:
    """Return the endpoint of each content type that declares a feed."""
    return [
        Endpoint(
            name=f"feeds.rss.{content_type.name}",
            method="GET",
            path=feed_path(content_type),
            view=partial(views.show_feed, FeedWriter(instance, content_type, content_type.feed)),
            permission=PUBLIC,
            summary=f"Show the newest {content_type.name} as RSS",
            returns=views.RSS,
            keep=True,
        )
        for content_type in content_types_of(instance)
        if content_type.feed is not None
    ]


def _sitemaps(instance: Instance) -> list[Endpoint]:
    """Return the endpoints of the sitemap, which share one writer."""
    writer = SitemapWriter(instance)
    return [
        Endpoint(
            name="feeds.sitemap",
            method="GET",
            path="/sitemap.xml",
            view=partial(views.show_sitemap, writer),
            permission=PUBLIC,
            summary="Show the sitemap, or the index of its parts",
            returns=views.XML,
            keep=True,
        ),
        Endpoint(
            name="feeds.sitemap_part",
            method="GET",
            path="/sitemap-{id}.xml",
            view=partial(views.show_sitemap_part, writer),
            permission=PUBLIC,
            summary="Show a part of a long sitemap",
            returns=views.XML,
            keep=True,
        ),
    ]


plugin = Plugin(name="feeds", hooks=(__name__,))
