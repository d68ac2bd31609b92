"""Values that are kept for the present transaction of a session."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from sqlalchemy.orm import Session
from sqlalchemy.orm.attributes import History, get_history
from sqlalchemy.orm.base import PASSIVE_NO_INITIALIZE

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


def change_of(item: Any, name: str) -> History:
    """Return the change of an attribute since the last flush, or in the one that has just ended.

    ``inspect(item).attrs`` would first make an object for each attribute.

    :param item: an object of a mapped class.
    """
    return get_history(item, name, PASSIVE_NO_INITIALIZE)


def former_value(item: Any, name: str) -> Any:
    """Return the value of an attribute before the flush that has just ended.

    :param item: an object of a mapped class.
    """
    replaced = change_of(item, name).deleted
    return replaced[0] if replaced else getattr(item, name)
