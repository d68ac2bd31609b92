"""``masthead contacts``: importing, exporting and erasing contacts."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TextIO

import click
from sqlalchemy.orm import Session

from masthead import (
    Email,
    PersonAddresses,
    addresses_of_person,
    config_option,
    forget_addresses,
    forget_person,
    open_from,
    open_with_progress,
    person_data,
    plugins_not_searched,
    record,
)
from masthead_crm.csv_import import ImportOptions
from masthead_crm.file_export import CSV, VCARD, write_contacts
from masthead_crm.file_import import import_contacts
from masthead_crm.services.mappings import ColumnMap


@click.group()
def contacts() -> None:
    """Import, export and erase contacts."""


def _column_map(
    _context: click.Context, _option: click.Parameter, values: tuple[str, ...]
) -> ColumnMap:
    """Return the mapping that the values ``COLUMN=FIELD`` describe."""
    pairs = [value.rpartition("=") for value in values]
    if not all(equals for _column, equals, _field in pairs):
        raise click.BadParameter("COLUMN=FIELD, or COLUMN= for a column to leave out")
    return {column: field.strip() or None for column, _equals, field in pairs}


@contacts.command("import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--charset", help="The file's encoding, such as cp1252; detected by default.")
@click.option("--sheet", help="The name of a workbook's sheet; the first one by default.")
@click.option(
    "--map",
    "columns",
    multiple=True,
    callback=_column_map,
    metavar="COLUMN=FIELD",
    help="The field of a column, or nothing for a column to leave out; can be repeated.",
)
@click.option("--mapping", help="The name of a saved mapping of columns.")
@click.option(
    "--refused",
    type=click.File("w", encoding="utf-8-sig", lazy=True),
    help="Write the rows with errors to this CSV file, with the reason of each.",
)
@click.option("--repeat", is_flag=True, help="Import rows without an address again.")
@click.option("--dry-run", is_flag=True, help="Report only, without storing anything.")
@config_option
@click.pass_context
def import_file(
    context: click.Context,
    /,
    file: Path,
    refused: TextIO | None,
    config: Path | None,
    **options: Any,
) -> None:
    """Import the CSV file, the workbook or the vCards of FILE.

    Rows whose e-mail address is known are skipped. Rows with errors are reported by line; the
    others are imported in one transaction.
    """
    with (
        open_from(config) as instance,
        file.open("rb") as opened,
        open_with_progress(opened, "Importing") as content,
    ):
        report, suggested = import_contacts(
            instance, content, ImportOptions(**options), refused=refused
        )
    for line in report.explain():
        click.echo(line, err=True)
    if suggested:
        click.echo(f"the mapping {suggested} fits this file", err=True)
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
    """Write all contacts to FILE, or to standard output: as vCards if its name ends in .vcf.

    The other files are CSV files.
    """
    kind = VCARD if file.name.lower().endswith(".vcf") else CSV
    with open_from(config) as instance, instance.database.session(read_only=True) as session:
        write_contacts(session, file, kind, spreadsheet_safe=spreadsheet_safe)


@contacts.command("erase")
@click.argument("email")
@click.option(
    "--except",
    "others",
    multiple=True,
    metavar="ADDRESS",
    help="A former address that was never the person's, such as a corrected typing error.",
)
@click.option("--yes", is_flag=True, help="Erase without asking.")
@config_option
@click.pass_context
def erase(
    context: click.Context, email: str, others: tuple[str, ...], yes: bool, config: Path | None
) -> None:
    """Erase all data on the person with the address EMAIL, in every plugin.

    The data under all addresses that the person has or had is erased. The command shows them
    before it asks for confirmation.
    """
    address = _parsed(email, "EMAIL")
    excepted = [_parsed(other, "--except") for other in others]
    if not yes:
        with open_from(config) as instance, instance.database.session(read_only=True) as session:
            _show(addresses_of_person(session, address, None, without=excepted))
            _show_not_searched(session)
        click.confirm("This can't be undone. Continue?", abort=True)
    with open_from(config) as instance, instance.database.transaction() as session:
        forget_addresses(session, excepted)
        counts = _erase(session, address)
        if yes:
            _show_not_searched(session)
    if not counts:
        click.echo("No data on this person", err=True)
        context.exit(1)
    click.echo("Erased " + ", ".join(f"{kind} {count}" for kind, count in counts.items()))


def _parsed(text: str, name: str) -> str:
    try:
        return Email().parse(text)
    except ValueError as error:
        raise click.UsageError(f"{name}: {error}") from None


def _show(person: PersonAddresses) -> None:
    """Print the addresses that are about to be erased, and those that now belong to others."""
    click.echo("Addresses of the person: " + ", ".join(person.addresses))
    if person.taken:
        click.echo("Not erased, because they now belong to others: " + ", ".join(person.taken))


def _show_not_searched(session: Session) -> None:
    """Print the plugins whose tables may hold data of the person, but can't be erased now."""
    if names := plugins_not_searched(session):
        click.echo(
            f"Not erased: data in the tables of {', '.join(names)}, which masthead.plugins doesn't"
            " enable or which isn't installed; enable it, and erase the person again",
            err=True,
        )


def _erase(session: Session, address: str) -> dict[str, int]:
    """Erase a person; return the number of items of each kind."""
    addresses = addresses_of_person(session, address, None).addresses
    found = person_data(session, addresses, None).data
    forget_person(session, address)
    counts = {kind: len(items) for kind, items in found.items()}
    if counts:
        record(session, "person.erase", None, erased=counts)
    return counts
