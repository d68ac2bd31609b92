"""``masthead contacts``: importing, exporting and erasing contacts."""

from __future__ import annotations

from pathlib import Path
from typing import TextIO

import click

from masthead import (
    Email,
    config_option,
    forget_person,
    open_from,
    open_with_progress,
    person_data,
    record,
    write_csv,
)
from masthead_crm.columns import HEADER
from masthead_crm.csv_import import CONTACTS_CSV
from masthead_crm.persons import all_addresses
from masthead_crm.services.csv_export import export_rows


@click.group()
def contacts() -> None:
    """Import, export and erase contacts."""


@contacts.command("import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--charset", help="The file's encoding, such as cp1252; detected by default.")
@click.option("--dry-run", is_flag=True, help="Report only, without storing anything.")
@config_option
@click.pass_context
def import_file(
    context: click.Context,
    file: Path,
    charset: str | None,
    dry_run: bool,
    config: Path | None,
) -> None:
    """Import the CSV file FILE.

    Rows whose e-mail address is known are skipped. Rows with errors are reported by line; the
    others are imported in one transaction.
    """
    with (
        open_from(config) as instance,
        file.open("rb") as opened,
        open_with_progress(opened, "Importing") as content,
    ):
        report = CONTACTS_CSV.run(instance, content, charset, dry_run=dry_run)
    for line in report.explain():
        click.echo(line, err=True)
    click.echo(report)
    context.exit(1 if report.errors else 0)


@contacts.command("export")
@click.argument("file", type=click.File("w", encoding="utf-8"), default="-")
@click.option(
    "--spreadsheet-safe",
    is_flag=True,
    help="Put an apostrophe before cells that a spreadsheet would evaluate as formulas.",
)
@config_option
def export_file(file: TextIO, spreadsheet_safe: bool, config: Path | None) -> None:
    """Write all contacts to the CSV file FILE, or to standard output."""
    with open_from(config) as instance, instance.database.session(read_only=True) as session:
        write_csv(file, HEADER, export_rows(session), spreadsheet_safe=spreadsheet_safe)


@contacts.command("erase")
@click.argument("email")
@click.confirmation_option(prompt="This can't be undone. Continue?")
@config_option
@click.pass_context
def erase(context: click.Context, email: str, config: Path | None) -> None:
    """Erase all data on the person with the address EMAIL, in every plugin."""
    try:
        address = Email().parse(email)
    except ValueError as error:
        raise click.UsageError(f"EMAIL: {error}") from None
    with open_from(config) as instance, instance.database.transaction() as session:
        addresses = all_addresses(session, address)
        found = person_data(session, addresses, None).data
        for each in addresses:
            forget_person(session, each)
        counts = {kind: len(items) for kind, items in found.items()}
        if found:
            record(session, "person.erase", None, erased=counts)
    if not found:
        click.echo("No data on this person", err=True)
        context.exit(1)
    click.echo("Erased " + ", ".join(f"{kind} {count}" for kind, count in counts.items()))
