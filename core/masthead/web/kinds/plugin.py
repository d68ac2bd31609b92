"""The list of content types and resources as part of core: its endpoint."""

from __future__ import annotations

from masthead.hookspecs import hookimpl
from masthead.http.endpoints import Endpoint, endpoints_in
from masthead.web.kinds import views


@hookimpl
def masthead_routes() -> list[Endpoint]:
    """Declare the endpoint."""
    return endpoints_in(views)
