"""The endpoints behind links in letters: the preference page, and the change of an address."""

from __future__ import annotations

from pyramid.response import Response

from masthead import Request
from masthead_email.subscribers import pages
from masthead_email.subscribers.address_change import ADDRESS_PATH, confirm_change, read_change
from masthead_email.subscribers.links import PREFERENCES_PATH
from masthead_email.subscribers.models import SUBSCRIBED
from masthead_email.subscribers.preference_form import FORM_TYPE, MAX_BODY, read_form, value_of
from masthead_email.subscribers.preference_page import page_values
from masthead_email.subscribers.preferences import Outcome, apply_form, find_person
from masthead_email.subscribers.services import own_preferences_address


@pages.page_endpoint("GET", PREFERENCES_PATH + "{token}", name="newsletter.preferences")
def show_preferences(request: Request) -> Response:
    """Show the page with the preferences of the recipient of a link.

    It changes nothing, because mail scanners follow links.
    """
    person = find_person(request.db, request.matchdict["token"])
    return _answer(request, Outcome(person))


@pages.page_endpoint(
    "POST",
    PREFERENCES_PATH + "{token}",
    name="newsletter.change-preferences",
    raw_body=MAX_BODY,
    raw_type=FORM_TYPE,
)
def change_preferences(request: Request) -> Response:
    """Change the preferences of the recipient of a link, as a form of the page asks for.

    The response is the page, also if values are wrong; then the status is 400.
    """
    form = read_form(request.content_type, request.raw)
    token, accepted = request.matchdict["token"], pages.accepted_language(request)
    return _answer(request, apply_form(request.db, token, form, accepted, request.remote_addr))


@pages.page_endpoint("GET", ADDRESS_PATH + "{token}", name="newsletter.address-page")
def show_address_change(request: Request) -> Response:
    """Show the page with the button that changes a subscriber's address.

    It changes nothing, because mail scanners follow links.
    """
    change = read_change(request.db, request.matchdict["token"])
    return pages.respond(
        request,
        "email/confirm-address.html",
        change.subscriber.language,
        change=change,
        known=change.other is not None,
    )


@pages.page_endpoint(
    "POST",
    ADDRESS_PATH + "{token}",
    name="newsletter.change-address",
    raw_body=MAX_BODY,
    raw_type=FORM_TYPE,
)
def change_address(request: Request) -> Response:
    """Change a subscriber's address, which the recipient of the link confirms."""
    form = read_form(request.content_type, request.raw)
    again, token = value_of(form, "again") == "yes", request.matchdict["token"]
    subscriber = confirm_change(request.db, token, again=again, ip=request.remote_addr)
    return pages.respond(
        request,
        "email/address-changed.html",
        subscriber.language,
        email=subscriber.email,
        subscribed=subscriber.status == SUBSCRIBED,
        preferences=own_preferences_address(request.db, subscriber),
    )


def _answer(request: Request, outcome: Outcome) -> Response:
    subscriber = outcome.person.subscriber
    return pages.respond(
        request,
        "email/preferences.html",
        subscriber.language if subscriber is not None else None,
        status=400 if outcome.errors else 200,
        **page_values(request.db, outcome),
    )
