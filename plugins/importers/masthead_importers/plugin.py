"""Importers as a plugin: one command that imports the exports of other systems."""

from __future__ import annotations

import click

from masthead import Plugin, hookimpl
from masthead_importers.commands import import_site


@hookimpl
def masthead_commands(group: click.Group) -> None:
    """Add the command."""
    group.add_command(import_site)


plugin = Plugin(name="importers", hooks=(__name__,))
