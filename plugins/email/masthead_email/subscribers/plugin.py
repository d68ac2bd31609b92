"""The hooks of subscribers."""

from __future__ import annotations

import click

from masthead import Chore, Endpoint, Instance, Job, Resource, endpoints_in, hookimpl
from masthead_email.subscribers import list_views, preference_views, views
from masthead_email.subscribers.commands import subscribers
from masthead_email.subscribers.engagement import engagement_jobs
from masthead_email.subscribers.resource import SUBSCRIBERS


@hookimpl
def masthead_resources() -> list[Resource]:
    """Return the resource of subscribers."""
    return [SUBSCRIBERS]


@hookimpl
def masthead_jobs(instance: Instance) -> list[Job | Chore]:
    """Return the job that deletes the days of engagement while tracking is off."""
    return [*engagement_jobs(instance)]


@hookimpl
def masthead_routes() -> list[Endpoint]:
    """Return the endpoints for visitors, and those for staff that the resource doesn't have."""
    return [*endpoints_in(views), *endpoints_in(list_views), *endpoints_in(preference_views)]


@hookimpl
def masthead_commands(group: click.Group) -> None:
    """Add ``masthead subscribers``."""
    group.add_command(subscribers)
