"""Locks on a name or a row that are held until the transaction ends."""

from __future__ import annotations

import hashlib
from typing import TypeVar

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from masthead.errors import NotFound

_Row = TypeVar("_Row")


def lock(session: Session, name: str) -> None:
    """Wait until no other transaction holds the lock ``name``, and hold it until this one ends.

    Take the lock before reading: no other transaction that takes it can change the rows that this
    one has read. Use it for rules that no constraint can express. On SQLite, writing transactions
    exclude each other anyway.
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
    """Return a row by primary key, refreshed and locked until the transaction ends.

    :param message: the error message for the client if the row is missing.
    :param key_share: whether other transactions may still refer to the row by a foreign key.
    :raises NotFound: if the row is missing.
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
