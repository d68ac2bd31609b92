"""How subscribers join Masthead: a resource for staff, forms and pages for everybody."""

from __future__ import annotations

import click

from masthead import PUBLIC, Endpoint, Resource, hookimpl
from masthead_email.subscribers import schemas, services, views
from masthead_email.subscribers.commands import subscribers
from masthead_email.subscribers.links import UNSUBSCRIBE_PATH
from masthead_email.subscribers.resource import SUBSCRIBERS

HTML = "text/html"


@hookimpl
def masthead_resources() -> list[Resource]:
    """The subscribers as staff keep them."""
    return [SUBSCRIBERS]


@hookimpl
def masthead_routes() -> list[Endpoint]:
    """Subscribing and unsubscribing."""
    return [*_FORMS, *_PAGES, _CREATE]


@hookimpl
def masthead_commands(group: click.Group) -> None:
    """``masthead subscribers …``."""
    group.add_command(subscribers)


_FORMS = [
    Endpoint(
        name="newsletter.subscribe",
        method="POST",
        path="/api/newsletter/subscribe",
        view=views.subscribe,
        permission=PUBLIC,
        summary="Subscribe to the newsletter",
        returns=schemas.ANSWER,
        body=schemas.SUBSCRIPTION,
    ),
    Endpoint(
        name="newsletter.unsubscribe",
        method="POST",
        path="/api/newsletter/unsubscribe",
        view=views.unsubscribe,
        permission=PUBLIC,
        summary="Unsubscribe from the newsletter",
        returns=schemas.ANSWER,
        body=schemas.UNSUBSCRIPTION,
    ),
]
_PAGES = [
    Endpoint(
        name=f"newsletter.{name}",
        method=method,
        path=path + "{token}",
        view=view,
        permission=PUBLIC,
        summary=summary,
        returns=HTML,
    )
    for name, method, path, view, summary in (
        (
            "unsubscribe-page",
            "GET",
            UNSUBSCRIBE_PATH,
            views.show_unsubscribe,
            "Show the page with the button that unsubscribes",
        ),
        (
            "unsubscribe-by-link",
            "POST",
            UNSUBSCRIBE_PATH,
            views.unsubscribe_by_link,
            "Unsubscribe whom a link was sent to; any body will do (RFC 8058)",
        ),
        (
            "confirm-page",
            "GET",
            services.CONFIRM_PATH,
            views.show_confirm,
            "Show the page with the button that confirms a subscription",
        ),
        (
            "confirm-by-link",
            "POST",
            services.CONFIRM_PATH,
            views.confirm_by_link,
            "Confirm the subscription of whom a link was sent to",
        ),
    )
]
_CREATE = Endpoint(
    name="staff.newsletter-subscribers.create",
    method="POST",
    path="/api/staff/newsletter-subscribers",
    view=views.create_subscriber,
    permission=SUBSCRIBERS.write_permission,
    summary="Add a subscriber; one that exists is returned as it is",
    returns=SUBSCRIBERS.answer(detail=True),
    body=schemas.NEW_SUBSCRIBER,
)
