"""What staff do to newsletters beside writing them."""

from __future__ import annotations

from typing import Any

from masthead import Request
from masthead_email.newsletters import sending, services
from masthead_email.newsletters.resource import NEWSLETTERS


def send(request: Request) -> Any:
    """Send it now."""
    number = sending.send(request.db, request.matchdict["id"], request.identity.id)
    return {"success": True, "sentTo": number}


def schedule(request: Request) -> Any:
    """Send it later, or not yet."""
    moment = request.data["scheduled_send_at"]
    newsletter = sending.schedule(request.db, request.matchdict["id"], moment, request.identity.id)
    request.response.etag = str(newsletter.revision)
    return NEWSLETTERS.values(newsletter, detail=True)


def send_test(request: Request) -> Any:
    """Send it to one address, to see how it looks."""
    email = request.data["email"]
    services.send_test(request.db, request.matchdict["id"], email, request.identity.id)
    return {"success": True}


def show_deliveries(request: Request) -> Any:
    """What became of it."""
    return services.deliveries(request.db, request.matchdict["id"])


def pause(request: Request) -> Any:
    """Stop sending it for now."""
    services.pause(request.db, request.matchdict["id"], request.identity.id)
    return {"success": True}


def resume(request: Request) -> Any:
    """Go on sending it."""
    services.resume(request.db, request.matchdict["id"], request.identity.id)
    return {"success": True}


def cancel(request: Request) -> Any:
    """Stop sending it for good."""
    services.cancel(request.db, request.matchdict["id"], request.identity.id)
    return {"success": True}
