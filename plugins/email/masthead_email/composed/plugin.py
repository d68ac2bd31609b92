"""How composed e-mails join Masthead: a resource for staff, and a job that sends them."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy.orm import Session

from masthead import (
    SUCCESS,
    Chore,
    Endpoint,
    Job,
    PersonData,
    Resource,
    hookimpl,
)
from masthead_email.composed import services, views
from masthead_email.composed.resource import COMPOSED_EMAILS
from masthead_email.composed.services import send_due


@hookimpl
def masthead_resources() -> list[Resource]:
    """The composed e-mails as staff keep them."""
    return [COMPOSED_EMAILS]


@hookimpl
def masthead_jobs() -> list[Job | Chore]:
    """Sending those whose time has come."""
    return [Chore("email.composed", timedelta(seconds=10), send_due)]


@hookimpl
def masthead_person_data(session: Session, address: str) -> list[PersonData]:
    """The e-mails that are written to somebody."""
    return services.person_data(session, address)


@hookimpl
def masthead_forget_person(session: Session, address: str) -> None:
    """Take them off the lists of recipients."""
    services.forget_person(session, address)


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
            returns=SUCCESS,
            refuses=frozenset({400}),
        )
    ]
