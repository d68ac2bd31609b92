"""Operations on many subscribers at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, select, update
from sqlalchemy.orm import Session

from masthead import Caller, ProblemCode, delete_items, lock, record, utcnow, wrong_field
from masthead_email.subscribers.models import REMOVED, SUBSCRIBED, UNSUBSCRIBED, Subscriber
from masthead_email.subscribers.resource import SUBSCRIBERS

UNSUBSCRIBE, DELETE = "unsubscribe", "delete"
SETTERS = {"set-source": "source", "set-language": "language"}
"""The operations that set a field, with its name."""
OPERATIONS = (UNSUBSCRIBE, DELETE, *SETTERS)


def run_bulk(
    session: Session, operation: str, ids: Sequence[int], values: Mapping[str, Any], caller: Caller
) -> dict[str, Any]:
    """Unsubscribe or delete the given subscribers, or set their source or language.

    :param values: the value of the field that the operation sets.
    :returns: ``affected``, the number of subscribers who exist, and ``failed``, which has an id and
        an error for each of the others.
    :raises Invalid: if the operation needs a value and there is none.
    """
    changes = {name: values.get(name) for name in filter(None, [SETTERS.get(operation)])}
    for name, value in changes.items():
        if not value:
            raise wrong_field(name, ProblemCode.REQUIRED, "Required")
    # An import changes subscribers in another order, so both would wait for each other.
    lock(session, f"{SUBSCRIBERS.name}.import")
    locked = select(Subscriber).where(Subscriber.id.in_(ids)).order_by(Subscriber.id)
    found = session.scalars(locked.with_for_update()).all()
    if operation == DELETE:
        delete_items(session, SUBSCRIBERS, found, caller)
    elif operation == UNSUBSCRIBE:
        _unsubscribe(session, [subscriber.id for subscriber in found])
    else:
        [(name, value)] = changes.items()
        differs = getattr(Subscriber, name).is_distinct_from(value)
        _change(session, [subscriber.id for subscriber in found], changes, differs)
    known = {subscriber.id for subscriber in found}
    if operation != DELETE:
        action = f"{SUBSCRIBERS.name}.{operation}"
        record(session, action, caller, SUBSCRIBERS.name, affected=len(known))
    failed = [{"id": each, "error": "Not found"} for each in ids if each not in known]
    return {"success": True, "affected": len(known), "failed": failed}


def _unsubscribe(session: Session, ids: Sequence[int]) -> None:
    changes = {"status": UNSUBSCRIBED, "unsubscribed_at": utcnow(), "unsubscribe_kind": REMOVED}
    _change(session, ids, changes, Subscriber.status == SUBSCRIBED)


def _change(
    session: Session, ids: Sequence[int], changes: dict[str, Any], differs: ColumnElement[bool]
) -> None:
    session.execute(
        update(Subscriber)
        .where(Subscriber.id.in_(ids), differs)
        .values(**changes, revision=Subscriber.revision + 1, updated_at=utcnow())
        .execution_options(synchronize_session=False)
    )
