"""``masthead backup`` and ``masthead restore``."""

from __future__ import annotations

from pathlib import Path

import click

from masthead.backup.restoring import restore_backup
from masthead.backup.verifying import verify
from masthead.backup.writing import make_backup
from masthead.cli.first_start import prepare
from masthead.console.context import config_option, open_from
from masthead.console.progress import show_progress_bars

_MIB = 1024 * 1024


@click.command()
@click.argument("target", type=click.Path(path_type=Path))
@click.option(
    "--incremental",
    is_flag=True,
    help="Store images beside the backup in the folder files, each once for all backups there.",
)
@click.option(
    "--keep",
    type=click.IntRange(1),
    metavar="N",
    help="Delete all but the newest N backups of this database in the folder TARGET.",
)
@config_option
def backup(target: Path, incremental: bool, keep: int | None, config: Path | None) -> None:
    """Back up the database and the images into TARGET, a folder or a new file NAME.zip.

    The server may run meanwhile. In a folder, the file is named by the time. The file is verified,
    and appears only if the backup is complete. It contains no secrets of the data folder and no
    configuration, but personal data and hashes of passwords.
    """
    if keep is not None and not target.is_dir():
        raise click.BadParameter(f"{target} is no folder", param_hint="--keep")
    with open_from(config) as instance, show_progress_bars() as report:
        made = make_backup(instance, target, report, incremental=incremental, keep=keep)
        place = instance.database.place
    for each in made.missing:
        click.echo(f"left out because it is missing: {each}", err=True)
    for each in made.deleted:
        click.echo(f"Deleted {each}")
    click.echo(f"Backed up {place} into {made.path} ({made.size / _MIB:.1f} MiB)")


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--check", is_flag=True, help="Verify the backup only; this needs no database.")
@config_option
def restore(file: Path, check: bool, config: Path | None) -> None:
    """Restore the backup FILE into an empty database and storage of images.

    The backup is verified before anything is stored, and the database appears complete or not at
    all. A backup of an older version is migrated.
    """
    if check:
        with show_progress_bars() as report:
            manifest = verify(file, file.parent, report)
        made_at = f"{manifest.made_at:%Y-%m-%d %H:%M} UTC"
        click.echo(f"{file} is complete: {manifest.database.place} on {made_at}")
        return
    messages: list[str] = []
    with open_from(config, creates=True) as instance:
        with show_progress_bars() as report:
            manifest = restore_backup(instance, file, report)
        prepare(instance, tell=messages.append)
        place = instance.database.place
    for each in manifest.missing:
        click.echo(f"was missing when the backup was made: {each}", err=True)
    click.echo(f"Restored {file} of {manifest.made_at:%Y-%m-%d %H:%M} UTC into {place}")
    for message in messages:
        click.echo(message)
