"""How notifications join core: their endpoints, what they tell of approvals, and for how long."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from sqlalchemy.orm import Session

from masthead.approval.events import Transitioned
from masthead.hookspecs import hookimpl
from masthead.http.endpoints import Endpoint
from masthead.http.paging import MOST_ROWS
from masthead.http.permissions import SIGNED_IN
from masthead.instance import Instance
from masthead.notifications import schemas, services, views
from masthead.notifications.approvals import tell_about
from masthead.notifications.models import Notification
from masthead.notifications.settings import DAYS
from masthead.resources.person_data import PersonData
from masthead.schemas.schema import SUCCESS
from masthead.settings import Setting
from masthead.worker.jobs import Job
from masthead.worker.retention import deleting


@hookimpl
def masthead_settings() -> list[Setting[Any]]:
    """For how long what was read is kept."""
    return [DAYS]


@hookimpl
def masthead_jobs(instance: Instance) -> list[Job]:
    """Delete what was read longer ago."""
    delete_old = deleting(Notification.id, Notification.read_at, instance.settings[DAYS])
    return [Job("notifications.retention", timedelta(hours=6), delete_old)]


@hookimpl
def masthead_transitioned(session: Session, event: Transitioned) -> None:
    """Tell who has to know."""
    tell_about(session, event)


@hookimpl
def masthead_routes() -> list[Endpoint]:
    """The caller's notifications."""
    return [
        Endpoint(
            name="notifications.list",
            method="GET",
            path="/api/staff/notifications",
            view=views.list_notifications,
            permission=SIGNED_IN,
            summary="List your notifications, newest first",
            returns=schemas.NOTIFICATIONS,
            query=schemas.FILTER,
            page=MOST_ROWS,
        ),
        Endpoint(
            name="notifications.read",
            method="POST",
            path="/api/staff/notifications/{id}/read",
            view=views.mark_read,
            permission=SIGNED_IN,
            summary="Mark one of your notifications as read",
            returns=SUCCESS,
        ),
        Endpoint(
            name="notifications.read-all",
            method="POST",
            path="/api/staff/notifications/read-all",
            view=views.mark_all_read,
            permission=SIGNED_IN,
            summary="Mark all your notifications as read",
            returns=schemas.MARKED,
        ),
        Endpoint(
            name="notifications.delete",
            method="DELETE",
            path="/api/staff/notifications/{id}",
            view=views.delete_notification,
            permission=SIGNED_IN,
            summary="Delete one of your notifications",
            returns=SUCCESS,
        ),
    ]


@hookimpl
def masthead_person_data(session: Session, address: str) -> list[PersonData]:
    """What users were told that names the address."""
    return [PersonData("notifications", services.notices_about(session, address))]


@hookimpl
def masthead_forget_person(session: Session, address: str) -> None:
    """Delete that."""
    services.forget_notices_about(session, address)
