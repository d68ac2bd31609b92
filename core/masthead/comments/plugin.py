"""Comments as part of core: their endpoints."""

from __future__ import annotations

from masthead.comments import views
from masthead.hookspecs import hookimpl
from masthead.http.endpoints import Endpoint, endpoints_in


@hookimpl
def masthead_routes() -> list[Endpoint]:
    """Return the endpoints of comments."""
    return endpoints_in(views)
