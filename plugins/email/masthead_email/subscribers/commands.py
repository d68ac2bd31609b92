"""``masthead subscribers``: importing and exporting subscribers as CSV."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

import click
from sqlalchemy import select
from sqlalchemy.orm import Session

from masthead import Timestamp, config_option, open_from, open_with_progress, write_csv
from masthead_email.subscribers.csv_import import SUBSCRIBERS_CSV
from masthead_email.subscribers.models import SOURCE, Subscriber

_BATCH = 1_000
_TIME = Timestamp()


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
@click.option("--charset", help="The file's encoding, such as cp1252; detected by default.")
@config_option
@click.pass_context
def import_command(
    context: click.Context, file: Path, source: str, charset: str | None, config: Path | None
) -> None:
    """Import FILE, a CSV with the column email and optionally name, status and source.

    Known addresses are skipped, so that people who unsubscribed aren't subscribed again. Rows with
    errors are reported by line; the others are imported in one transaction.
    """
    with (
        open_from(config) as instance,
        file.open("rb") as opened,
        open_with_progress(opened, "Importing") as content,
    ):
        report = SUBSCRIBERS_CSV.run(instance, content, charset, defaults={"source": source})
    for error in report.errors:
        click.echo(error, err=True)
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
    header = ("email", "name", "status", "source", "createdAt", "unsubscribedAt")
    with open_from(config) as instance, instance.database.session(read_only=True) as session:
        write_csv(file, header, _rows(session), spreadsheet_safe=spreadsheet_safe)


def _rows(session: Session) -> Iterator[list[str]]:
    """Yield the cells of each subscriber; read in batches, as there may be a million."""
    found = session.scalars(
        select(Subscriber).order_by(Subscriber.id).execution_options(yield_per=_BATCH)
    )
    for each in found:
        moments = (each.created_at, each.unsubscribed_at)
        times = [_TIME.dump(moment) if moment else "" for moment in moments]
        yield [each.email, each.name or "", each.status, each.source, *times]
