"""The schedule as part of core: its endpoint."""

from __future__ import annotations

from masthead.hookspecs import hookimpl
from masthead.http.endpoints import Endpoint
from masthead.instance import Instance
from masthead.schedule.views import schedule_endpoints


@hookimpl
def masthead_routes(instance: Instance) -> list[Endpoint]:
    """Return the endpoint of the schedule."""
    return schedule_endpoints(instance)
