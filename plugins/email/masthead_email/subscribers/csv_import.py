"""The import of subscribers from CSV files, also from the exports of other newsletter tools."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import IO

from masthead import CsvColumn, CsvImport, CsvReport, Instance, StagedUpdate, UsedColumn
from masthead_email.subscribers.exports.facts import PERSON_COLUMNS
from masthead_email.subscribers.exports.layout import field_of, find_layout
from masthead_email.subscribers.imported_statuses import apply_statuses, count_unsubscribed
from masthead_email.subscribers.models import Subscriber
from masthead_email.subscribers.resource import SUBSCRIBERS

_SUBSCRIBERS_CSV = CsvImport(
    SUBSCRIBERS,
    columns=(*PERSON_COLUMNS, CsvColumn("status")),
    unique=Subscriber.email,
    update=StagedUpdate(count_unsubscribed, apply_statuses),
)


@dataclass(frozen=True)
class ImportOptions:
    """The options of an import."""

    source: str = "import"
    """The source of subscribers whose row names none."""
    charset: str | None = None
    """The encoding of the file; None detects it."""
    file_name: str = ""
    """The name of the file, which may say the status of all persons in it."""
    ignore: Collection[str] = ()
    """The names of columns to ignore."""
    dry_run: bool = False
    """Whether to report only, without storing anything."""
    actor_id: int | None = None
    """The id of the user who imports the file."""


def import_subscribers(
    instance: Instance, file: IO[bytes], options: ImportOptions | None = None
) -> CsvReport:
    """Import subscribers in a transaction of its own.

    Whoever isn't subscribed in the file is stored as unsubscribed, or unsubscribed here, too.
    Nobody who is unsubscribed here is subscribed.

    :param file: a seekable file.
    :raises Invalid: for a file that can't be read as a table, and if a column that may say who has
        unsubscribed isn't understood. Nothing is stored then.
    """
    options = options or ImportOptions()
    layout = find_layout(file, options.charset, options.file_name, options.ignore)
    declared = replace(_SUBSCRIBERS_CSV, columns=layout.columns, read_row=layout.reader.read)
    report = declared.run(
        instance,
        file,
        options.charset,
        defaults={"source": options.source},
        dry_run=options.dry_run,
        actor_id=options.actor_id,
    )
    report.columns = [UsedColumn(each.column, field_of(each.field)) for each in report.columns]
    if layout.reader.file_status is not None:
        report.columns.append(UsedColumn(f"the name of the file, {options.file_name}", "status"))
    return report
