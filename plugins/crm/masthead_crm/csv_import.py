"""The import of contacts from CSV files and workbooks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import IO, TextIO

from masthead import (
    CsvImport,
    CsvOptions,
    CsvReport,
    Instance,
    Invalid,
    MissingColumn,
    is_known_address,
)
from masthead_crm.columns import COLUMNS, split_tags
from masthead_crm.models import Contact, ContactTag
from masthead_crm.resource import CONTACTS
from masthead_crm.services.contacts import email_key
from masthead_crm.services.mappings import ColumnMap, fitting_mapping, named_mapping
from masthead_crm.services.matching import mailbox_key, name_key, phone_key
from masthead_crm.services.tags import tag_keys

CONTACTS_CSV = CsvImport(
    CONTACTS,
    columns=COLUMNS,
    unique=Contact.email_key,
    parse={"tags": split_tags},
    derived={
        Contact.email_key: lambda values: email_key(values["email"]),
        Contact.mailbox_key: lambda values: mailbox_key(values["email"]),
        Contact.phone_key: lambda values: phone_key(values["phone"]),
        Contact.name_key: lambda values: name_key(values["name"]),
    },
    links={ContactTag.tag_key: lambda values: tag_keys(values["tags"])},
    taken=partial(is_known_address, CONTACTS.name),
    row_key=Contact.import_key,
)


@dataclass(frozen=True, kw_only=True)
class ImportOptions:
    """The options of an import of contacts."""

    charset: str | None = None
    sheet: str | None = None
    """The name of a workbook's sheet; the first one by default."""
    columns: ColumnMap | None = None
    """The fields of columns; they take precedence over those of the saved mapping."""
    mapping: str | None = None
    """The name of a saved mapping."""
    repeat: bool = False
    """Whether rows without an address are imported again."""
    plain: bool = False
    """Whether all rows below the header are contacts, also one that looks like a total."""
    dry_run: bool = False


def import_table(
    instance: Instance,
    file: IO[bytes],
    options: ImportOptions,
    *,
    refused: TextIO | None = None,
    actor_id: int | None = None,
) -> tuple[CsvReport, str | None]:
    """Import contacts from a table.

    :param refused: a file for the rows with errors.
    :param actor_id: the id of the user who imports the file.
    :returns: the result, and the name of a saved mapping that fits the file if none is given.
    :raises Invalid: for a file that can't be read as a table; nothing is stored then.
    """
    columns = options.columns or {}
    if options.mapping:
        with instance.database.session(read_only=True) as session:
            columns = named_mapping(session, options.mapping) | columns
    try:
        report = CONTACTS_CSV.run(
            instance,
            file,
            options.charset,
            options=CsvOptions(
                mapping=columns,
                sheet=options.sheet,
                plain=options.plain,
                refused=refused,
                repeat=options.repeat,
            ),
            dry_run=options.dry_run,
            actor_id=actor_id,
        )
    except MissingColumn as refusal:
        fitting = None if columns else _fitting(instance, refusal.header)
        if fitting is None:
            raise
        raise Invalid(f"{refusal.message}; the mapping {fitting} fits this file") from None
    return report, None if columns else _fitting(instance, report.header)


def _fitting(instance: Instance, header: list[str]) -> str | None:
    with instance.database.session(read_only=True) as session:
        return fitting_mapping(session, header)
