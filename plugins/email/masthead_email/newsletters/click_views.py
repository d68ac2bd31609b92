"""The endpoint of tracked links."""

from __future__ import annotations

from pyramid.response import Response

from masthead import Request
from masthead_email.newsletters.tracked_links import follow
from masthead_email.subscribers import pages
from masthead_email.subscribers.links import CLICK_PATH

_REFUSALS = ("DNT", "Sec-GPC")
"""Headers by which a browser says that its user doesn't want to be tracked."""


@pages.page_endpoint("GET", CLICK_PATH + "{token}", name="newsletter.click", status=302)
def follow_link(request: Request) -> Response:
    """Lead the reader of a newsletter to the address of a tracked link."""
    refused = any(request.headers.get(name) == "1" for name in _REFUSALS)
    recorded = request.method == "GET" and not refused
    target = follow(request.db, request.matchdict["token"], recorded=recorded)
    response = Response(status=302, content_type="text/html", charset="UTF-8")
    # WebOb would complete the address of an attribute.
    response.headers["Location"] = target
    return response
