"""``masthead export``, and ``masthead import`` of an export."""

from __future__ import annotations

from pathlib import Path

import click

from masthead.cli.first_start import prepare
from masthead.console.context import config_option, open_from
from masthead.console.progress import show_progress_bars
from masthead.db import migrate
from masthead.errors import StartError
from masthead.transfer.instance_export import export_instance
from masthead.transfer.instance_import import import_instance


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@config_option
def export(folder: Path, config: Path | None) -> None:
    """Export this instance into FOLDER, which must be empty or not exist yet.

    The server may run meanwhile. The export is as confidential as the database. It doesn't contain
    secrets, passwords, the audit log and the state of workers.
    """
    with open_from(config) as instance, show_progress_bars() as report:
        missing = export_instance(instance, folder, report)
    for each in missing:
        click.echo(f"left out because it is missing: {each}", err=True)
    click.echo(f"Exported {instance.database.place} into {folder}")


def import_folder(folder: Path, config: Path | None) -> None:
    """Import an export into the instance, whose tables are created if it is new.

    :raises StartError: with the reason if it can't be imported; nothing is imported then.
    """
    if not folder.is_dir():
        raise StartError(f"{folder} is no folder; to import items, name their kind and a FILE")
    messages: list[str] = []
    with open_from(config, creates=True) as instance, show_progress_bars() as report:
        # An existing instance is not migrated, because it may be the wrong one.
        if not any(migrate.current(instance.database, instance.plugins).values()):
            prepare(instance)
        done = import_instance(instance, folder, report, messages.append)
    if not done:
        click.echo("It was imported before; nothing is changed")
        return
    click.echo(f"Imported {folder}")
    click.echo("All users are disabled and have no password; see masthead user --help")
    for message in messages:
        click.echo(message)
