"""The endpoints of deliveries, tests and secrets."""

from __future__ import annotations

from typing import Any

from masthead import MOST_ROWS, ListOf, Object, Page, Request, endpoint
from masthead_webhooks import schemas, services
from masthead_webhooks.permissions import READ, WRITE

_PATH = "/api/staff/webhooks/{id}"


@endpoint(
    "GET",
    f"{_PATH}/deliveries",
    name="staff.webhooks.deliveries",
    permission=READ,
    query=schemas.FILTERS,
    page=MOST_ROWS,
    returns=ListOf(Object(schemas.DELIVERY)),
)
def list_deliveries(request: Request) -> Page:
    """List the deliveries of a webhook, newest first."""
    webhook_id = request.matchdict["id"]
    return services.list_deliveries(request.db, webhook_id, request.window, request.query)


@endpoint(
    "POST",
    f"{_PATH}/deliveries/{{delivery_id}}/replay",
    name="staff.webhooks.replay",
    permission=WRITE,
    returns=schemas.QUEUED,
    refuses=frozenset({400}),
)
def replay(request: Request) -> dict[str, Any]:
    """Repeat a delivery that has ended."""
    ids = request.matchdict["id"], request.matchdict["delivery_id"]
    return services.replay(request.db, *ids, request.identity)


@endpoint(
    "POST",
    f"{_PATH}/test",
    name="staff.webhooks.test",
    permission=WRITE,
    returns=schemas.QUEUED,
    refuses=frozenset({400}),
)
def test(request: Request) -> dict[str, Any]:
    """Call a webhook with the event webhook.test."""
    return services.test(request.db, request.matchdict["id"])


@endpoint(
    "POST",
    f"{_PATH}/secret",
    name="staff.webhooks.rotate",
    permission=WRITE,
    returns=schemas.SECRET,
)
def rotate_secret(request: Request) -> dict[str, Any]:
    """Give a webhook a new secret, which this answer alone shows."""
    return services.rotate(request.db, request.matchdict["id"], request.identity)
