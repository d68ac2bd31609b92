"""``masthead approval``: the proof that the public sees what was approved."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import click

from masthead.console.context import config_option, open_from
from masthead.console.table import show_table
from masthead.db import migrate
from masthead.history.settings import RECORD
from masthead.history.verifying import Proof, verify


@click.group()
def approval() -> None:
    """Approve items, and check what was approved."""


@approval.command("verify")
@click.option("--type", "content_type", metavar="NAME", help="Only items of this content type.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@config_option
@click.pass_context
def verify_command(
    context: click.Context, content_type: str | None, as_json: bool, config: Path | None
) -> None:
    """Compare all published items with the values that were approved.

    The exit status is 1 if an item has other values.
    """
    with open_from(config) as instance:
        migrate.check_current(instance.database, instance.plugins)
        if content_type not in (None, *instance.content_types):
            names = ", ".join(instance.content_types)
            raise click.BadParameter(f"expected one of {names}", param_hint="--type")
        if not instance.settings[RECORD]:
            raise click.ClickException(f"{RECORD.name} is false, so no approval is recorded")
        proof = verify(instance, content_type)
    if as_json:
        click.echo(json.dumps(asdict(proof), indent=2, ensure_ascii=False))
    else:
        _show(proof)
    context.exit(1 if proof.deviations else 0)


def _show(proof: Proof) -> None:
    if proof.deviations:
        rows = [
            (each.kind, str(each.id), each.title, ", ".join(each.fields) or "unknown")
            for each in proof.deviations
        ]
        show_table(("TYPE", "ID", "TITLE", "DIFFERING FIELDS"), rows)
    click.echo(
        f"{proof.checked} published items, {len(proof.deviations)} with other values than approved,"
        f" {proof.unrecorded} without a recorded approval"
    )
