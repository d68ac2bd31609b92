"""Subscribing and unsubscribing, by form and by link."""

from __future__ import annotations

from typing import Any

from pyramid.response import Response

from masthead import Request, check_submission
from masthead_email.subscribers import pages, services
from masthead_email.subscribers.links import UNSUBSCRIBE
from masthead_email.subscribers.models import SUBSCRIBED, UNSUBSCRIBED
from masthead_email.subscribers.resource import SUBSCRIBERS

KIND = "newsletter-subscriptions"
WELCOME = "Thank you! If there is anything left to do, you will find it in your mailbox."
FAREWELL = "You won't get our newsletter any more."


def subscribe(request: Request) -> Any:
    """A visitor wants the newsletter; what is answered doesn't tell whether we knew them."""
    services.subscribe(request.db, check_submission(request, KIND))
    return {"success": True, "message": WELCOME}


def unsubscribe(request: Request) -> Any:
    """A visitor wants it no longer; what is answered doesn't tell whether they got it."""
    services.unsubscribe(request.db, request.data["email"])
    return {"success": True, "message": FAREWELL}


def create_subscriber(request: Request) -> Any:
    """Staff add somebody, who stays as they are where they are known."""
    subscriber = services.ensure(request.db, request.data)
    request.response.etag = str(subscriber.revision)
    return SUBSCRIBERS.values(subscriber, detail=True)


def show_unsubscribe(request: Request) -> Response:
    """The page behind the link of a newsletter; it changes nothing, for programs follow links."""
    address = services.check_link(request.db, UNSUBSCRIBE, request.matchdict["token"])
    return pages.respond(pages.ask_unsubscribe(address))


def unsubscribe_by_link(request: Request) -> Response:
    """Unsubscribe whom the link was sent to, whatever the body says (RFC 8058)."""
    services.change_by_link(request.db, UNSUBSCRIBE, request.matchdict["token"], UNSUBSCRIBED)
    return pages.respond(pages.UNSUBSCRIBED)


def show_confirm(request: Request) -> Response:
    """The page behind the link that confirms a subscription; it changes nothing."""
    purpose = services.CONFIRM_PURPOSE
    address = services.check_link(request.db, purpose, request.matchdict["token"])
    return pages.respond(pages.ask_confirm(address))


def confirm_by_link(request: Request) -> Response:
    """Subscribe whom the link was sent to."""
    purpose = services.CONFIRM_PURPOSE
    services.change_by_link(request.db, purpose, request.matchdict["token"], SUBSCRIBED)
    return pages.respond(pages.CONFIRMED)
