"""``masthead totp``: authenticator apps on the command line."""

from __future__ import annotations

from pathlib import Path

import click

from masthead import caller_named, config_option, open_from
from masthead_totp import services


@click.group()
def totp() -> None:
    """Manage the second step of logins."""


@totp.command("reset")
@click.argument("name")
@config_option
def reset(name: str, config: Path | None) -> None:
    """Remove the authenticator app of the user NAME, who has lost it."""
    with open_from(config) as instance:
        user_id = caller_named(instance, name).id
        with instance.database.transaction() as session:
            services.reset(session, user_id, None)
        click.echo(f"{name} logs in without a code, or sets up a new app")
