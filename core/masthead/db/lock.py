"""Locks by name, for rules that no constraint can express."""

from __future__ import annotations

import hashlib

from sqlalchemy import func, select
from sqlalchemy.orm import Session


def lock(session: Session, name: str) -> None:
    """Wait until no other transaction holds the lock ``name``, and hold it until this one ends.

    What is read afterwards stays true for everybody who takes the same lock, so take it before
    reading. On SQLite the transactions that write exclude each other anyway.
    """
    if session.get_bind().dialect.name == "postgresql":
        number = int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], signed=True)
        session.execute(select(func.pg_advisory_xact_lock(number)))
