"""The endpoints for feed readers and crawlers."""

from __future__ import annotations

from pyramid.response import Response

from masthead import PUBLIC, Request, api_address, endpoint
from masthead_feeds.feeds import FeedWriter
from masthead_feeds.settings import CRAWLERS
from masthead_feeds.sitemap import SitemapWriter

RSS, XML, TEXT = "application/rss+xml", "application/xml", "text/plain"
HOUR, DAY = 3600, 86400

_ALLOW = """\
User-agent: *
Allow: /
Disallow: /staff/
Disallow: /api/staff/

Sitemap: {sitemap}
"""
_DISALLOW = """\
User-agent: *
Disallow: /
"""


def show_feed(writer: FeedWriter, request: Request) -> Response:
    """Show the newest items of a content type as RSS."""
    return _cacheable(writer.write(request.db), RSS, HOUR)


def show_sitemap(writer: SitemapWriter, request: Request) -> Response:
    """Show the sitemap, or the index of its parts."""
    return _cacheable(writer.write(request.db), XML, DAY)


def show_sitemap_part(writer: SitemapWriter, request: Request) -> Response:
    """Show a part of a long sitemap."""
    return _cacheable(writer.write_part(request.db, request.matchdict["id"]), XML, DAY)


@endpoint("GET", "/robots.txt", name="feeds.robots", permission=PUBLIC, returns=TEXT, keep=True)
def show_robots(request: Request) -> Response:
    """Show the rules for crawlers."""
    settings = request.instance.settings
    rules = _ALLOW if settings[CRAWLERS] else _DISALLOW
    text = rules.format(sitemap=api_address(settings, "/sitemap.xml"))
    return Response(text.encode(), content_type=TEXT, charset=None)


def _cacheable(body: bytes, media_type: str, max_age: int) -> Response:
    response = Response(body, content_type=media_type, charset="UTF-8")
    response.headers["Cache-Control"] = f"max-age={max_age}"
    return response
