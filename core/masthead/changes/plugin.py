"""The change log as part of core: its endpoints, its jobs and its setting."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from sqlalchemy.orm import Session

from masthead.changes.recording import begin_again, deleting, record_changes, record_due
from masthead.changes.settings import DAYS
from masthead.changes.views import change_endpoints
from masthead.hookspecs import hookimpl
from masthead.http.endpoints import Endpoint
from masthead.instance import Instance
from masthead.settings import Setting
from masthead.worker.jobs import Job


@hookimpl
def masthead_settings() -> list[Setting[Any]]:
    """Return how long changes are kept."""
    return [DAYS]


@hookimpl
def masthead_routes(instance: Instance) -> list[Endpoint]:
    """Return the endpoints that list changes."""
    return change_endpoints(instance)


@hookimpl
def masthead_jobs(instance: Instance) -> list[Job]:
    """Return the jobs that record scheduled items and delete old changes."""
    return [
        Job("changes.schedule", timedelta(seconds=30), record_due),
        Job("changes.retention", timedelta(hours=6), deleting(instance.settings[DAYS])),
    ]


# Last, because other implementations may change items.
@hookimpl(trylast=True)
def masthead_committing(session: Session) -> None:
    """Record the changes of the transaction."""
    record_changes(session)


@hookimpl
def masthead_imported(session: Session) -> None:
    """Make the cursors of clients invalid, because rows came without changes."""
    begin_again(session)


@hookimpl
def masthead_restored(session: Session) -> None:
    """Make the cursors of clients invalid, because changes after the backup are lost."""
    begin_again(session)
