"""``GET /metrics``: the metrics of all processes, and those that the database knows."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING

from pyramid.response import Response

from masthead.hookspecs import hookimpl
from masthead.http.endpoints import Endpoint, endpoint
from masthead.http.permissions import ADMIN
from masthead.http.request import Request
from masthead.telemetry import metrics
from masthead.telemetry.scraping import CONTENT_TYPE, answer_scrapes
from masthead.telemetry.settings import TOKEN
from masthead.web.readings import Readings

if TYPE_CHECKING:
    from masthead.instance import Instance


@hookimpl
def masthead_routes(instance: Instance) -> list[Endpoint]:
    """Declare ``/metrics`` on the port of the API, if a token for it is set."""
    return [show_metrics] if instance.settings[TOKEN] else []


@endpoint(
    "GET",
    "/metrics",
    name="core.metrics",
    permission=ADMIN,
    token=TOKEN,
    keep=False,
    returns="text/plain",
    pool="status",
)
def show_metrics(request: Request) -> Response:
    """Show the metrics to Prometheus, which sends the token of the setting."""
    return Response(metrics_text(request.instance), content_type=None, headerlist=[_TYPE])


_TYPE = ("Content-Type", CONTENT_TYPE)


def metrics_text(instance: Instance) -> bytes:
    """Return all metrics in Prometheus's text format."""
    from prometheus_client import generate_latest

    registry = metrics.collected()
    registry.register(instance.shared(Readings))
    text: bytes = generate_latest(registry)
    return text


def answer_on(listener: socket.socket | None, instance: Instance) -> None:
    """Answer scrapes on a port of their own, if there is one."""
    if listener is not None:
        answer_scrapes(listener, lambda: metrics_text(instance))
