"""What feed readers and crawlers ask for."""

from __future__ import annotations

from functools import partial

from pyramid.request import Request
from pyramid.response import Response

from masthead import PUBLIC, ContentType, Endpoint, Instance, api_address
from masthead_feeds.feeds import FeedWriter, feed_path
from masthead_feeds.settings import CRAWLERS
from masthead_feeds.sitemap import SitemapWriter

RSS, XML, TEXT = "application/rss+xml", "application/xml", "text/plain"
HOUR, DAY = 3600, 86400

_ALLOWED = """\
User-agent: *
Allow: /
Disallow: /staff/
Disallow: /api/staff/

Sitemap: {sitemap}
"""
_FORBIDDEN = """\
User-agent: *
Disallow: /
"""


def show_feed(writer: FeedWriter, request: Request) -> Response:
    """The newest items of a content type."""
    return _kept(writer.write(request.db), RSS, HOUR)


def show_sitemap(writer: SitemapWriter, request: Request) -> Response:
    """The sitemap, or its index."""
    return _kept(writer.write(request.db), XML, DAY)


def show_sitemap_part(writer: SitemapWriter, request: Request) -> Response:
    """A part of a long sitemap."""
    return _kept(writer.write_part(request.db, request.matchdict["id"]), XML, DAY)


def show_robots(request: Request) -> Response:
    """What crawlers may read."""
    settings = request.instance.settings
    rules = _ALLOWED if settings[CRAWLERS] else _FORBIDDEN
    text = rules.format(sitemap=api_address(settings, "/sitemap.xml"))
    return Response(text.encode(), content_type=TEXT, charset=None)


def endpoints(instance: Instance) -> list[Endpoint]:
    """The feed of each content type that declares one, the sitemap and the rules for crawlers."""
    sitemap = SitemapWriter(instance)
    return [
        *_feeds(instance),
        Endpoint(
            name="feeds.sitemap",
            method="GET",
            path="/sitemap.xml",
            view=partial(show_sitemap, sitemap),
            permission=PUBLIC,
            summary="Show the sitemap, or the index of its parts",
            returns=XML,
            keep=True,
        ),
        Endpoint(
            name="feeds.sitemap_part",
            method="GET",
            path="/sitemap-{id}.xml",
            view=partial(show_sitemap_part, sitemap),
            permission=PUBLIC,
            summary="Show a part of a long sitemap",
            returns=XML,
            keep=True,
        ),
        Endpoint(
            name="feeds.robots",
            method="GET",
            path="/robots.txt",
            view=show_robots,
            permission=PUBLIC,
            summary="Show the rules for crawlers",
            returns=TEXT,
            keep=True,
        ),
    ]


def _feeds(instance: Instance) -> list[Endpoint]:
    return [
        Endpoint(
            name=f"feeds.rss.{kind.name}",
            method="GET",
            path=feed_path(kind),
            view=partial(show_feed, FeedWriter(instance, kind, kind.feed)),
            permission=PUBLIC,
            summary=f"Show the newest of {kind.name} as RSS",
            returns=RSS,
            keep=True,
        )
        for kind in instance.content_types.values()
        if isinstance(kind, ContentType) and kind.feed is not None
    ]


def _kept(body: bytes, media_type: str, seconds: int) -> Response:
    """An answer that clients may keep for a while."""
    response = Response(body, content_type=media_type, charset="UTF-8")
    response.headers["Cache-Control"] = f"max-age={seconds}"
    return response
