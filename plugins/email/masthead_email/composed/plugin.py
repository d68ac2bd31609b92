"""The hooks of composed e-mails."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy.orm import Session

from masthead import Chore, Endpoint, Job, PersonData, Resource, endpoints_in, hookimpl
from masthead_email.composed import services, views
from masthead_email.composed.resource import COMPOSED_EMAILS


@hookimpl
def masthead_resources() -> list[Resource]:
    """Return the resource of composed e-mails."""
    return [COMPOSED_EMAILS]


@hookimpl
def masthead_jobs() -> list[Job | Chore]:
    """Return the chore that sends scheduled e-mails."""
    return [Chore("email.composed", timedelta(seconds=10), services.send_due, services.is_any_due)]


@hookimpl
def masthead_person_data(session: Session, address: str) -> list[PersonData]:
    """Return the e-mails with an address among their recipients."""
    return services.person_data(session, address)


@hookimpl
def masthead_forget_person(session: Session, address: str) -> None:
    """Remove an address from the recipients of all e-mails."""
    services.forget_person(session, address)


@hookimpl
def masthead_routes() -> list[Endpoint]:
    """Return the endpoint that sends a composed e-mail, and those of its deliveries."""
    return [*endpoints_in(views), *views.DELIVERIES.endpoints()]
