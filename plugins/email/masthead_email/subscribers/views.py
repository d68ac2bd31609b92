"""The endpoints of subscribers: for forms, for links in mails, and for staff."""

from __future__ import annotations

from typing import Any

from pyramid.response import Response

from masthead import PUBLIC, RECEIVED, Request, check_submission, endpoint, form_answer
from masthead_email.subscribers import pages, schemas, services
from masthead_email.subscribers.links import UNSUBSCRIBE_PATH
from masthead_email.subscribers.resource import SUBSCRIBERS
from masthead_email.subscribers.services import CONFIRM_PATH, CONFIRM_PURPOSE

SUBMISSION_KIND = "newsletter-subscriptions"
"""The kind that the hook ``masthead_check_submission`` gets."""
SUBSCRIBE_MESSAGE = "Thank you! If there is anything left to do, you will find it in your mailbox."
UNSUBSCRIBE_MESSAGE = "You won't get our newsletter any more."


@endpoint(
    "POST",
    "/api/newsletter/subscribe",
    name="newsletter.subscribe",
    permission=PUBLIC,
    body=schemas.SUBSCRIPTION,
    form=form_answer,
    returns=RECEIVED,
)
def subscribe(request: Request) -> dict[str, Any]:
    """Subscribe to the newsletter.

    The response doesn't reveal whether the address was subscribed before.
    """
    data = check_submission(request, SUBMISSION_KIND)
    services.subscribe(request.db, data, request.remote_addr)
    return {"success": True, "message": SUBSCRIBE_MESSAGE}


@endpoint(
    "POST",
    "/api/newsletter/unsubscribe",
    name="newsletter.unsubscribe",
    permission=PUBLIC,
    body=schemas.UNSUBSCRIPTION,
    returns=RECEIVED,
)
def unsubscribe(request: Request) -> dict[str, Any]:
    """Unsubscribe from the newsletter.

    The response doesn't reveal whether the address was subscribed before.
    """
    services.unsubscribe(request.db, request.data["email"])
    return {"success": True, "message": UNSUBSCRIBE_MESSAGE}


@pages.page_endpoint("GET", UNSUBSCRIBE_PATH + "{token}", name="newsletter.unsubscribe-page")
def show_unsubscribe(request: Request) -> Response:
    """Show the page with the button that unsubscribes.

    It changes nothing, because mail scanners follow links.
    """
    values = services.unsubscribe_page_values(request.db, request.matchdict["token"])
    return pages.respond(request, "email/unsubscribe.html", **values)


@pages.page_endpoint("POST", UNSUBSCRIBE_PATH + "{token}", name="newsletter.unsubscribe-by-link")
def unsubscribe_by_link(request: Request) -> Response:
    """Unsubscribe the recipient of a link, with any request body (RFC 8058)."""
    language = services.unsubscribe_by_link(request.db, request.matchdict["token"])
    return pages.respond(request, "email/unsubscribed.html", language)


@pages.page_endpoint("GET", CONFIRM_PATH + "{token}", name="newsletter.confirm-page")
def show_confirm(request: Request) -> Response:
    """Show the page with the button that confirms a subscription.

    It changes nothing, because mail scanners follow links.
    """
    address = services.check_link(request.db, CONFIRM_PURPOSE, request.matchdict["token"])
    language = services.language_of(request.db, address)
    return pages.respond(request, "email/confirm.html", language, address=address)


@pages.page_endpoint("POST", CONFIRM_PATH + "{token}", name="newsletter.confirm-by-link")
def confirm_by_link(request: Request) -> Response:
    """Confirm the subscription of the recipient of a link."""
    language = services.confirm(request.db, request.matchdict["token"], request.remote_addr)
    return pages.respond(request, "email/confirmed.html", language)


@endpoint(
    "POST",
    f"/api/staff/{SUBSCRIBERS.path}",
    name="staff.newsletter-subscribers.create",
    permission=SUBSCRIBERS.write_permission,
    also_needs=SUBSCRIBERS.also_needs,
    body=schemas.NEW_SUBSCRIBER,
    returns=SUBSCRIBERS.answer(detail=True),
)
def create_subscriber(request: Request) -> dict[str, Any]:
    """Add a subscriber; one that exists is returned unchanged."""
    subscriber = services.find_or_create(request.db, request.data)
    request.response.etag = str(subscriber.revision)
    return SUBSCRIBERS.describe(request.db, subscriber, request.identity)
