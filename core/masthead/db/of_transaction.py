"""Values that are kept for the present transaction of a session."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from sqlalchemy import inspect
from sqlalchemy.orm import Session

Value = TypeVar("Value")


def of_transaction(session: Session, key: str, make: Callable[[], Value]) -> Value:
    """Return a value that is made at its first use in the session's present transaction.

    :param key: the name of the value.
    :param make: returns the value.
    """
    kept: tuple[Any, Value] | None = session.info.get(key)
    transaction = session.get_transaction()
    if kept is None or kept[0] is not transaction or transaction is None:
        value = make()
        # Making it may have begun the transaction.
        kept = session.info[key] = (session.get_transaction(), value)
    return kept[1]


def former_value(item: Any, name: str) -> Any:
    """Return the value of an attribute before the flush that has just ended.

    :param item: an object of a mapped class.
    """
    replaced = inspect(item).attrs[name].history.deleted
    return replaced[0] if replaced else getattr(item, name)
