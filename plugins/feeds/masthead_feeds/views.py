"""What feed readers and crawlers ask for."""

from __future__ import annotations

from pyramid.response import Response

from masthead import Request, api_address
from masthead_feeds.feeds import FeedWriter
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


def _kept(body: bytes, media_type: str, seconds: int) -> Response:
    """An answer that clients may keep for a while."""
    response = Response(body, content_type=media_type, charset="UTF-8")
    response.headers["Cache-Control"] = f"max-age={seconds}"
    return response
