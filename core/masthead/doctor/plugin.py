"""The hooks of ``masthead doctor``: the command, its endpoint, and the checks of core for it."""

from __future__ import annotations

import click

from masthead.doctor import database, machine, views
from masthead.doctor.commands import doctor
from masthead.hookspecs import hookimpl
from masthead.http.endpoints import Endpoint, endpoints_in
from masthead.instance import Check


@hookimpl
def masthead_checks() -> list[Check]:
    """Return the checks of the machine and of the database."""
    return [*machine.checks(), *database.checks()]


@hookimpl
def masthead_commands(group: click.Group) -> None:
    """Add ``masthead doctor``."""
    group.add_command(doctor)


@hookimpl
def masthead_routes() -> list[Endpoint]:
    """Return the endpoint that shows how the server sees a visitor."""
    return endpoints_in(views)
