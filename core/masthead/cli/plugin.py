"""The commands of core."""

from __future__ import annotations

import click

from masthead.cli.backup import backup, restore
from masthead.cli.database import database
from masthead.cli.describe import audit_actions, openapi, plugins, settings
from masthead.cli.hooks import hooks
from masthead.cli.import_command import import_content
from masthead.cli.new_plugin import new_plugin
from masthead.cli.operating import jobs, maintenance
from masthead.cli.serve import serve
from masthead.cli.texts import texts
from masthead.cli.transfer import export
from masthead.cli.worker import worker
from masthead.hookspecs import hookimpl


@hookimpl
def masthead_commands(group: click.Group) -> None:
    """Add the commands of core."""
    running = serve, worker, jobs, maintenance
    moving = import_content, export, backup, restore
    others = database, plugins, hooks, settings, texts, openapi, audit_actions, new_plugin
    for command in (*running, *moving, *others):
        group.add_command(command)
