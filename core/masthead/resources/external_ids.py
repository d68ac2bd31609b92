"""The ids that imported items have in other systems, so that a repeated import adds none twice."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from sqlalchemy import delete, exists, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from masthead.db import ID, KEY
from masthead.db.base import Base
from masthead.db.changed_tables import PRIVATE
from masthead.db.upsert import insert_into


class ExternalId(Base):
    """The id of an imported item in the system that it comes from."""

    __tablename__ = "core_external_id"
    __table_args__ = {"info": PRIVATE}

    kind: Mapped[str] = mapped_column(KEY, primary_key=True)
    """The name of the content type or resource."""
    source: Mapped[str] = mapped_column(KEY, primary_key=True)
    """The name of the other system; blank by default."""
    external_id: Mapped[str] = mapped_column(KEY, primary_key=True)
    item_id: Mapped[int] = mapped_column(ID, index=True)


def known_ids(
    session: Session, model: Any, kind: str, source: str, external_ids: Collection[str]
) -> set[str]:
    """Return those external ids whose item exists.

    :param model: the model of the items.
    """
    found = select(ExternalId.external_id).where(
        ExternalId.kind == kind,
        ExternalId.source == source,
        ExternalId.external_id.in_(external_ids),
        exists().where(model.id == ExternalId.item_id),
    )
    return set(session.scalars(found))


def known_slugs(
    session: Session, model: Any, kind: str, source: str, external_ids: Collection[str]
) -> dict[str, str | None]:
    """Return the slugs of the items with these external ids that exist, by external id.

    :param model: the model of the items, which has a slug.
    """
    found = (
        select(ExternalId.external_id, model.slug)
        .join(model, model.id == ExternalId.item_id)
        .where(
            ExternalId.kind == kind,
            ExternalId.source == source,
            ExternalId.external_id.in_(external_ids),
        )
    )
    return {row.external_id: row.slug for row in session.execute(found)}


def remember_ids(session: Session, kind: str, source: str, items: Mapping[str, int]) -> None:
    """Record the items with external ids that no existing item has.

    :param items: the ids of the items by external id.
    """
    if not items:
        return
    rows = [
        {"kind": kind, "source": source, "external_id": external_id, "item_id": item_id}
        for external_id, item_id in items.items()
    ]
    statement = insert_into(session, ExternalId)
    # An item that was deleted by a plugin may have left its row.
    keys = [ExternalId.kind, ExternalId.source, ExternalId.external_id]
    replaced = {"item_id": statement.excluded.item_id}
    session.execute(statement.on_conflict_do_update(index_elements=keys, set_=replaced), rows)


def forget_ids(session: Session, kind: str, item_ids: Collection[int]) -> None:
    """Delete the external ids of deleted items."""
    mine = (ExternalId.kind == kind, ExternalId.item_id.in_(item_ids))
    session.execute(delete(ExternalId).where(*mine).execution_options(synchronize_session=False))
