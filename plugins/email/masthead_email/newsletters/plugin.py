"""How newsletters join Masthead: approved, a resource for staff, and a job that sends them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from masthead import SUCCESS, Approvable, Chore, Endpoint, Job, Request, Resource, hookimpl
from masthead_email.newsletters import schemas, views
from masthead_email.newsletters.resource import NEWSLETTER_TYPE, NEWSLETTERS
from masthead_email.newsletters.sending import send_due


@hookimpl
def masthead_content_types() -> list[Approvable]:
    """Newsletters, which are approved before they are sent."""
    return [NEWSLETTER_TYPE]


@hookimpl
def masthead_resources() -> list[Resource]:
    """The newsletters as staff keep them."""
    return [NEWSLETTERS]


@hookimpl
def masthead_jobs() -> list[Job | Chore]:
    """Sending the newsletters whose time has come."""
    return [Chore("email.newsletters", timedelta(seconds=10), send_due)]


@hookimpl
def masthead_routes() -> list[Endpoint]:
    """Sending, and what comes after."""
    return _ENDPOINTS


_PATH = f"/api/staff/{NEWSLETTERS.path}/{{id}}"


def _action(
    name: str,
    view: Callable[[Request], Any],
    summary: str,
    *,
    returns: Any = SUCCESS,
    body: Any = None,
) -> Endpoint:
    return Endpoint(
        name=f"staff.newsletters.{name}",
        method="POST",
        path=f"{_PATH}/{name}",
        view=view,
        permission=NEWSLETTERS.write_permission,
        summary=summary,
        returns=returns,
        body=body,
        refuses=frozenset({400}),
    )


_ENDPOINTS = [
    _action(
        "send", views.send, "Send an approved newsletter to all subscribers", returns=schemas.SENT
    ),
    _action(
        "schedule",
        views.schedule,
        "Send an approved newsletter at a time, or at none",
        returns=NEWSLETTERS.answer(detail=True),
        body=schemas.SCHEDULE,
    ),
    _action("test", views.send_test, "Send a newsletter to one address", body=schemas.TEST),
    _action("pause", views.pause, "Send no more of a newsletter for now"),
    _action("resume", views.resume, "Go on sending a newsletter"),
    _action("cancel", views.cancel, "Send no more of a newsletter, ever"),
    Endpoint(
        name="staff.newsletters.deliveries",
        method="GET",
        path=f"{_PATH}/deliveries",
        view=views.show_deliveries,
        permission=NEWSLETTERS.read_permission,
        summary="Count what became of a newsletter, and name the failures",
        returns=schemas.DELIVERIES,
    ),
]
