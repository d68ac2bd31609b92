"""The trash as part of core: setting, permission, endpoints, job, and the images in it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from sqlalchemy.orm import Session

from masthead.hookspecs import hookimpl
from masthead.http.endpoints import Endpoint
from masthead.http.permissions import Permission
from masthead.instance import Instance
from masthead.ports.images import ImageUse
from masthead.resources.trashed import KEEP_DAYS
from masthead.settings import Setting
from masthead.trash.image_uses import uses_in_trash
from masthead.trash.kinds import PURGE
from masthead.trash.retention import purging
from masthead.trash.views import trash_endpoints
from masthead.worker.jobs import Job


@hookimpl
def masthead_settings() -> list[Setting[Any]]:
    """Return the time for which deleted items are kept."""
    return [KEEP_DAYS]


@hookimpl
def masthead_permissions() -> list[Permission]:
    """Return the permission to delete items for good."""
    return [Permission(PURGE, "Delete items in the trash for good.", editor=False)]


@hookimpl
def masthead_routes(instance: Instance) -> list[Endpoint]:
    """Return the endpoints of the trash."""
    return trash_endpoints(instance)


@hookimpl
def masthead_jobs(instance: Instance) -> list[Job]:
    """Return the job that purges old items."""
    run = purging(instance.settings[KEEP_DAYS])
    return [Job("trash.retention", timedelta(hours=1), run)]


@hookimpl
def masthead_image_uses(session: Session, paths: Sequence[str]) -> list[ImageUse]:
    """Return the uses of images by items in the trash."""
    return uses_in_trash(session, paths) if paths else []
