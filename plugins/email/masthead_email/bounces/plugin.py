"""How ``masthead mail`` joins the command line."""

from __future__ import annotations

import click

from masthead import hookimpl
from masthead_email.bounces.commands import mail


@hookimpl
def masthead_commands(group: click.Group) -> None:
    """``masthead mail …``."""
    group.add_command(mail)
