"""Locks that are held until the transaction ends: on a name, and on a row."""

from __future__ import annotations

import hashlib
from typing import TypeVar

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from masthead.errors import NotFound

_Row = TypeVar("_Row")


def lock(session: Session, name: str) -> None:
    """Wait until no other transaction holds the lock ``name``, and hold it until this one ends.

    Take it before reading: what is read afterwards stays true for every transaction that takes the
    same lock. It expresses rules that no constraint can. On SQLite, transactions that write exclude
    each other anyway.
    """
    if session.get_bind().dialect.name == "postgresql":
        number = int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], signed=True)
        session.execute(select(func.pg_advisory_xact_lock(number)))


def lock_row(
    session: Session,
    model: type[_Row],
    row_id: int | str,
    *,
    message: str = "Not found",
    key_share: bool = False,
) -> _Row:
    """Return a row by primary key, read afresh and locked until the transaction ends.

    :param message: what the client reads where the row is missing.
    :param key_share: whether other transactions may still refer to the row by a foreign key.
    :raises NotFound: where the row is missing.
    """
    row = session.get(
        model,
        row_id,
        populate_existing=True,
        with_for_update={"key_share": True} if key_share else True,
    )
    if row is None:
        raise NotFound(message)
    return row
