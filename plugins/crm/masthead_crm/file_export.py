"""The export of contacts to a CSV file, or to vCards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TextIO

from sqlalchemy import select
from sqlalchemy.orm import Session

from masthead import Timestamp, write_csv
from masthead_crm.columns import HEADER, join_tags
from masthead_crm.models import Contact, Stage
from masthead_crm.vcard.writing import write_card

CSV: Final = "csv"
VCARD: Final = "vcard"
KINDS = {CSV: ("text/csv", "csv"), VCARD: ("text/vcard", "vcf")}
"""The media type and the extension of each kind of file."""

_BATCH = 1_000
_TIME = Timestamp()


def write_contacts(
    session: Session, file: TextIO, kind: str, *, spreadsheet_safe: bool = False
) -> None:
    """Write all contacts, the oldest first.

    :param file: a file that doesn't translate line ends.
    :param kind: one of ``KINDS``.
    :param spreadsheet_safe: see ``write_csv``.
    """
    if kind == CSV:
        write_csv(file, HEADER, _rows(session), spreadsheet_safe=spreadsheet_safe)
    else:
        file.writelines(_cards(session))


def _cards(session: Session) -> Iterator[str]:
    columns = (
        Contact.name,
        Contact.email,
        Contact.phone,
        Contact.status,
        Contact.tags,
        Contact.notes,
    )
    rows = select(*columns).order_by(Contact.id).execution_options(yield_per=_BATCH)
    for row in session.execute(rows):
        yield write_card(row)


def _rows(session: Session) -> Iterator[tuple[str, ...]]:
    """Yield the cells of each contact in the order of ``columns.HEADER``."""
    rows = (
        select(
            Contact.name,
            Contact.email,
            Contact.phone,
            Contact.status,
            Contact.tags,
            Contact.notes,
            Stage.name.label("stage"),
            Contact.created_at,
        )
        .outerjoin(Stage)
        .order_by(Contact.id)
        .execution_options(yield_per=_BATCH)
    )
    for row in session.execute(rows):
        texts = (row.name, row.email, row.phone, row.status, join_tags(row.tags), row.notes)
        time = _TIME.dump(row.created_at)
        yield (*(value or "" for value in texts), row.stage or "", time)
