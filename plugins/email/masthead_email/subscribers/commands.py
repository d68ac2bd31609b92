"""``masthead subscribers``: moving subscribers in and out as CSV."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

import click
from sqlalchemy import select
from sqlalchemy.orm import Session

from masthead import Timestamp, config_option, open_from, open_with_progress, write_csv
from masthead_email.subscribers.importing import import_subscribers
from masthead_email.subscribers.models import SOURCE, Subscriber

_MOST_TOLD = 1_000
"""Rows whose errors are named."""
_PORTION = 1_000
_TIME = Timestamp()


@click.group()
def subscribers() -> None:
    """Move subscribers of the newsletter in and out."""


def _source(_context: click.Context, _option: click.Parameter, value: str) -> str:
    source = value.strip()
    if not source or len(source) > SOURCE:
        raise click.BadParameter(f"1 to {SOURCE} characters")
    return source


@subscribers.command("import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--source", default="import", callback=_source, help="Where they come from.")
@click.option("--charset", help="The file's encoding, such as cp1252; found out otherwise.")
@config_option
@click.pass_context
def import_command(
    context: click.Context, file: Path, source: str, charset: str | None, config: Path | None
) -> None:
    """Add the subscribers of FILE, a CSV with the column email, perhaps name, status and source.

    Who is known stays as they are, so nobody is subscribed again who has left. Rows that can't be
    used are named by their line; the rest is imported, all at once or not at all.
    """
    with (
        open_from(config) as instance,
        file.open("rb") as opened,
        open_with_progress(opened, "Importing") as content,
    ):
        report = import_subscribers(instance, content, source=source, charset=charset)
    for line, error in report.errors[:_MOST_TOLD]:
        click.echo(f"line {line}: {error}", err=True)
    click.echo(f"imported {report.imported}, skipped {report.skipped}, errors {len(report.errors)}")
    context.exit(1 if report.errors else 0)


@subscribers.command("export")
@click.argument("file", type=click.File("w", encoding="utf-8"), default="-")
@click.option("--spreadsheet-safe", is_flag=True, help="Let no cell be taken for a formula.")
@config_option
def export_command(file: TextIO, spreadsheet_safe: bool, config: Path | None) -> None:
    """Write all subscribers to the CSV file FILE, or to standard output, the oldest first."""
    header = ("email", "name", "status", "source", "createdAt", "unsubscribedAt")
    with open_from(config) as instance, instance.database.session(read_only=True) as session:
        write_csv(file, header, _rows(session), spreadsheet_safe=spreadsheet_safe)


def _rows(session: Session) -> Iterator[list[str]]:
    """The subscribers as cells; read bit by bit, for there may be a million."""
    found = session.scalars(
        select(Subscriber).order_by(Subscriber.id).execution_options(yield_per=_PORTION)
    )
    for each in found:
        moments = (each.created_at, each.unsubscribed_at)
        times = [_TIME.dump(moment) if moment else "" for moment in moments]
        yield [each.email, each.name or "", each.status, each.source, *times]
