"""Notifications as part of core: endpoints, approval notifications, retention and erasure."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from sqlalchemy.orm import Session

from masthead.approval.events import Transitioned
from masthead.hookspecs import hookimpl
from masthead.http.endpoints import Endpoint, endpoints_in
from masthead.http.permissions import ADMIN
from masthead.instance import Instance
from masthead.notifications import services, views
from masthead.notifications.approvals import notify_of_transition
from masthead.notifications.ended_requests import settle_ended
from masthead.notifications.models import Notification
from masthead.notifications.reminders import notify_of_age
from masthead.notifications.settings import DAYS
from masthead.resources.person_data import PersonData
from masthead.settings import Setting
from masthead.worker.jobs import Job
from masthead.worker.retention import deleting


@hookimpl
def masthead_settings() -> list[Setting[Any]]:
    """Return how long read notifications are kept."""
    return [DAYS]


@hookimpl
def masthead_jobs(instance: Instance) -> list[Job]:
    """Return the jobs that delete old read notifications, and notify of old requests."""
    delete_old = deleting(Notification.id, Notification.read_at, instance.settings[DAYS])
    return [
        Job("notifications.retention", timedelta(hours=6), delete_old),
        Job("approval.reminders", timedelta(minutes=1), notify_of_age),
    ]


@hookimpl
def masthead_transitioned(session: Session, event: Transitioned) -> None:
    """Notify the approvers or the requester."""
    notify_of_transition(session, event)


@hookimpl
def masthead_committing(session: Session) -> None:
    """Mark the notifications of ended requests as read, and notify requesters."""
    session.flush()
    settle_ended(session)


@hookimpl
def masthead_routes() -> list[Endpoint]:
    """Return the endpoints of the caller's notifications."""
    return endpoints_in(views)


@hookimpl
def masthead_person_data(session: Session, address: str) -> list[PersonData]:
    """Return the notifications that name the address; they are those of all users."""
    return [PersonData("notifications", ADMIN, services.notices_about(session, address))]


@hookimpl
def masthead_forget_person(session: Session, address: str) -> None:
    """Delete the notifications that name the address."""
    services.forget_notices_about(session, address)
