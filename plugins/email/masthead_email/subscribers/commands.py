"""``masthead subscribers``: importing and exporting subscribers as CSV."""

from __future__ import annotations

from pathlib import Path
from typing import TextIO

import click

from masthead import config_option, open_from, open_with_progress, write_csv
from masthead_email.subscribers.csv_export import HEADER, export_rows
from masthead_email.subscribers.csv_import import ImportOptions, import_subscribers
from masthead_email.subscribers.models import SOURCE


@click.group()
def subscribers() -> None:
    """Import and export subscribers of the newsletter."""


def _source(_context: click.Context, _option: click.Parameter, value: str) -> str:
    source = value.strip()
    if not source or len(source) > SOURCE:
        raise click.BadParameter(f"1 to {SOURCE} characters")
    return source


@subscribers.command("import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--source", default="import", callback=_source, help="The source of rows that name none."
)
@click.option(
    "--ignore-column", "ignore", multiple=True, help="A column to ignore; can be repeated."
)
@click.option("--charset", help="The file's encoding, such as cp1252; detected by default.")
@click.option("--dry-run", is_flag=True, help="Report only, without storing anything.")
@config_option
@click.pass_context
def import_command(
    context: click.Context,
    file: Path,
    source: str,
    ignore: tuple[str, ...],
    charset: str | None,
    dry_run: bool,
    config: Path | None,
) -> None:
    """Import FILE, a CSV with a column of addresses, also an export of another newsletter tool.

    An address that isn't subscribed in the file isn't subscribed here, and none that has
    unsubscribed is subscribed again. The import stops at a column that it doesn't understand and
    that may say who has unsubscribed. Rows with errors are reported by line; the others are
    imported in one transaction.
    """
    options = ImportOptions(source, charset, file.name, ignore, dry_run)
    with (
        open_from(config) as instance,
        file.open("rb") as opened,
        open_with_progress(opened, "Importing") as content,
    ):
        report = import_subscribers(instance, content, options)
    for line in report.explain():
        click.echo(line, err=True)
    click.echo(report)
    context.exit(1 if report.errors else 0)


@subscribers.command("export")
@click.argument("file", type=click.File("w", encoding="utf-8"), default="-")
@click.option(
    "--spreadsheet-safe",
    is_flag=True,
    help="Prevent spreadsheets from evaluating cells as formulas.",
)
@config_option
def export_command(file: TextIO, spreadsheet_safe: bool, config: Path | None) -> None:
    """Write all subscribers to the CSV file FILE, or to standard output, the oldest first."""
    with open_from(config) as instance, instance.database.session(read_only=True) as session:
        write_csv(file, HEADER, export_rows(session), spreadsheet_safe=spreadsheet_safe)
