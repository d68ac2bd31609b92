"""``masthead totp``: authenticator apps on the command line."""

from __future__ import annotations

from pathlib import Path

import click

from masthead import config_option, open_from
from masthead_totp import services


@click.group()
def totp() -> None:
    """Manage the second step of logins."""


@totp.command("reset")
@click.argument("name", required=False)
@click.option("--unreadable", is_flag=True, help="Remove all apps that no secret decrypts.")
@config_option
def reset(name: str | None, unreadable: bool, config: Path | None) -> None:
    """Remove the authenticator app of the user NAME, who has lost it."""
    if unreadable == (name is not None):
        raise click.UsageError("Give either NAME or --unreadable")
    with open_from(config) as instance, instance.database.transaction() as session:
        if name is None:
            message = f"Removed {services.reset_unreadable(session)} authenticator apps"
        else:
            user = services.reset_named(session, name)
            message = f"{name} logs in without a code, or sets up a new app"
            if user.disabled:
                message = f"{name} is disabled; once enabled again, {message}"
    click.echo(message)
