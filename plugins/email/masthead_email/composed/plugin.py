"""How composed e-mails join Masthead: a resource for staff, and a job that sends them."""

from __future__ import annotations

from datetime import timedelta

from masthead import Bool, Chore, Endpoint, Job, Resource, hookimpl, required, schema
from masthead_email.composed import views
from masthead_email.composed.resource import COMPOSED_EMAILS
from masthead_email.composed.services import send_due


@hookimpl
def masthead_resources() -> list[Resource]:
    """The composed e-mails as staff keep them."""
    return [COMPOSED_EMAILS]


@hookimpl
def masthead_jobs() -> list[Job | Chore]:
    """Sending those whose time has come."""
    return [Job("email.composed", timedelta(seconds=10), send_due)]


@hookimpl
def masthead_routes() -> list[Endpoint]:
    """Sending one now."""
    return [
        Endpoint(
            name="staff.compose-emails.send",
            method="POST",
            path="/api/staff/compose-emails/{id}/send",
            view=views.send,
            permission=COMPOSED_EMAILS.write_permission,
            summary="Send a composed e-mail now",
            returns=schema({"success": required(Bool())}),
            refuses=frozenset({400}),
        )
    ]
