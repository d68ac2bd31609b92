"""Remembering the addresses of items: after a change, after a merge, and until the erasure."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Any, Protocol

from sqlalchemy import ColumnElement, Select, case, delete, exists, insert, select
from sqlalchemy.orm import Session

from masthead.db import fold, utcnow
from masthead.db.upsert import insert_missing, upsert
from masthead.persons.models import KnownAddress

USERS = "users"
"""The kind of the users' addresses."""


class Addressed(Protocol):
    """An item with an id and the time of its creation."""

    id: Any
    created_at: Any


def remember_change(
    session: Session, kind: str, item: Addressed, former: str | None, current: str | None
) -> None:
    """Remember the address that an item had before a change."""
    if (fold(former) if former else None) == (fold(current) if current else None):
        return
    now = utcnow()
    if former:
        row = _row(kind, item.id, former, item.created_at, now)
        upsert(session, KnownAddress, row, {"until": now})
    if current:
        row = _row(kind, item.id, current, now, None)
        # A merged address that becomes the current one keeps its time.
        since = case((KnownAddress.until.is_(None), KnownAddress.since), else_=now)
        changes = {"address": current, "since": since, "until": None}
        upsert(session, KnownAddress, row, changes)


def join_addresses(
    session: Session,
    kind: str,
    item: Addressed,
    address: str | None,
    other: Addressed,
    other_address: str | None,
) -> None:
    """Give an item all addresses of another one, into which it is merged.

    :param address: the current address of the item.
    :param other_address: the current address of the other item.
    """
    both = ((item, address), (other, other_address))
    current = [_row(kind, each.id, text, each.created_at, None) for each, text in both if text]
    if current:
        insert_missing(session, KnownAddress, current)
    rows = session.execute(_rows(kind, (item.id, other.id))).all()
    joined: dict[str, dict[str, Any]] = {}
    for row in rows:
        known = joined.get(row.address_key)
        since = min(row.since, known["since"]) if known else row.since
        until = _later(row.until, known["until"]) if known else row.until
        joined[row.address_key] = _row(kind, item.id, row.address, since, until)
    forget_item_addresses(session, kind, (item.id, other.id))
    if joined:
        session.execute(insert(KnownAddress), list(joined.values()))


def forget_item_addresses(session: Session, kind: str, item_ids: Collection[int]) -> None:
    """Delete the addresses of deleted items."""
    mine = (KnownAddress.kind == kind, KnownAddress.item_id.in_(item_ids))
    _delete(session, *mine)


def forget_addresses(session: Session, addresses: Iterable[str]) -> None:
    """Delete some addresses of all items, so that nothing leads from them to the items."""
    _delete(session, KnownAddress.address_key.in_([fold(address) for address in addresses]))


def is_known_address(kind: str, key: ColumnElement[Any]) -> ColumnElement[bool]:
    """Return the condition that an item has or had an address, given as it is compared.

    It leaves out items whose address has never changed.
    """
    return exists().where(KnownAddress.kind == kind, KnownAddress.address_key == key)


def _row(
    kind: str, item_id: int, address: str, since: datetime, until: datetime | None
) -> dict[str, Any]:
    return {
        "kind": kind,
        "item_id": item_id,
        "address_key": fold(address),
        "address": address,
        "since": since,
        "until": until,
    }


def _rows(kind: str, item_ids: Collection[int]) -> Select[Any]:
    columns = KnownAddress.__table__.columns
    mine = (KnownAddress.kind == kind, KnownAddress.item_id.in_(item_ids))
    return select(*columns).where(*mine)


def _later(one: datetime | None, other: datetime | None) -> datetime | None:
    """Return the later end of two periods; None stands for no end."""
    return None if one is None or other is None else max(one, other)


def _delete(session: Session, *conditions: ColumnElement[bool]) -> None:
    statement = delete(KnownAddress).where(*conditions)
    session.execute(statement.execution_options(synchronize_session=False))
