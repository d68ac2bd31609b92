"""Live events as part of core: the endpoint and its setting."""

from __future__ import annotations

from typing import Any

from masthead.hookspecs import hookimpl
from masthead.http.endpoints import Endpoint, endpoints_in
from masthead.live import views
from masthead.live.hub import MOST_STREAMS
from masthead.settings import Setting


@hookimpl
def masthead_settings() -> list[Setting[Any]]:
    """Return the setting of live events."""
    return [MOST_STREAMS]


@hookimpl
def masthead_routes() -> list[Endpoint]:
    """Return the endpoint of live events."""
    return endpoints_in(views)
