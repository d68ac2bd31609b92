"""The export of contacts to CSV."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import select
from sqlalchemy.orm import Session

from masthead import Timestamp
from masthead_crm.columns import join_tags
from masthead_crm.models import Contact, Stage

_BATCH = 1_000
_TIME = Timestamp()


def export_rows(session: Session) -> Iterator[tuple[str, ...]]:
    """Yield the cells of each contact in the order of ``columns.HEADER``, the oldest first."""
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
