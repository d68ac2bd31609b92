"""``masthead secrets``: changing the secrets that sign login tokens."""

from __future__ import annotations

from pathlib import Path

import click

from masthead.auth import rotation
from masthead.auth.sealed_columns import reseal_all
from masthead.auth.tokens import SECRETS, TOKEN_DAYS, missing_secrets
from masthead.console.context import config_option, open_from
from masthead.instance import Instance

_FILE = {
    "add": "Added a secret. All processes know it within seconds; then run: masthead secrets rotate"
    " sign",
    "sign": "The new secret signs. After {days} days run: masthead secrets rotate drop",
    "drop": "Dropped the former secret.",
}
_SETTINGS = {
    "add": "On every machine, write this secret behind the one in {name}, separated by a blank:\n"
    "\n  {secret}\n\n"
    "Restart all servers and workers, one after the other. Then run: masthead secrets rotate sign",
    "sign": "On every machine, write the last secret of {name} before the others. Restart all"
    " servers and workers, one after the other.\n"
    "After {days} days run: masthead secrets rotate drop",
    "drop": "If the new secret has signed for {days} days: on every machine, remove all but the"
    " first secret from {name}, and restart all servers and workers.",
}


@click.group()
def secrets() -> None:
    """Change the secrets that sign login tokens."""


@secrets.command()
@click.argument("step", type=click.Choice(list(_FILE)))
@click.option("--now", is_flag=True, help="Drop a secret whose tokens are still valid.")
@config_option
def rotate(step: str, now: bool, config: Path | None) -> None:
    """Replace the signing secret in three steps, which log nobody out.

    STEP is add (a new secret that all processes know), sign (tokens are signed with it), and drop
    (the former secret is forgotten, once its tokens have expired). A secret in the data folder is
    changed by this command; for secrets in the settings it prints what to do.
    """
    with open_from(config) as instance:
        in_settings = bool(instance.settings[SECRETS] or missing_secrets(instance))
        if not in_settings:
            _change(instance, step, now=now)
        elif step == "drop" and instance.settings[SECRETS]:
            with instance.database.transaction() as session:
                reseal_all(session)
        message = (_SETTINGS if in_settings else _FILE)[step].format(
            name=f"{SECRETS.name} ({SECRETS.variable})",
            secret=rotation.new_secret() if in_settings else "",
            days=instance.settings[TOKEN_DAYS],
        )
    click.echo(message)


def _change(instance: Instance, step: str, *, now: bool) -> None:
    if step == "add":
        rotation.add_secret(instance)
    elif step == "sign":
        rotation.sign_with_added(instance)
    else:
        rotation.drop_former(instance, now=now)
