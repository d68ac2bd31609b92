"""The approval requests that end in a transaction: decided, taken back, or gone with their item."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import Any, NamedTuple

from sqlalchemy import Connection, event
from sqlalchemy.orm import Mapper, Session, object_session

from masthead.approval.declaration import PENDING, Approvable, ApprovableItem
from masthead.auth.caller import Caller
from masthead.db.of_transaction import change_of
from masthead.instance import instance_of

_NOTED = "masthead.ended_requests"


class TakenBack(NamedTuple):
    """A request that a change of its item has ended."""

    requester_id: int | None
    actor_id: int | None
    """The user who has changed the item; None for the command line."""


@dataclass
class Ended:
    """The requests of one type that have ended; a rolled-back savepoint may have renewed some."""

    ids: set[int] = dataclass_field(default_factory=set)
    """The ids of the items."""
    taken_back: dict[int, TakenBack] = dataclass_field(default_factory=dict)
    """Those that a change has ended, by the id of the item."""


def note_ended(session: Session, items: Iterable[Any]) -> None:
    """Note the requests of items before a statement that bypasses SQLAlchemy's objects."""
    for item in items:
        if item.approval_status == PENDING:
            _ended(session, item).ids.add(item.id)


def note_taken_back(session: Session, item: Any, caller: Caller | None) -> None:
    """Note the request of a pending item that a change takes back.

    :param caller: the user who changes the item; None for the command line.
    """
    actor_id = None if caller is None else caller.id
    _ended(session, item).taken_back[item.id] = TakenBack(item.approval_requested_by, actor_id)


def take_ended(session: Session) -> list[tuple[Approvable, Ended]]:
    """Return the noted requests by type, and forget them."""
    noted: dict[type[Any], Ended] = session.info.pop(_NOTED, {})
    kinds = instance_of(session).content_types.values()
    return [(kind, noted[kind.model]) for kind in kinds if kind.model in noted]


@event.listens_for(ApprovableItem, "after_update", propagate=True)
def _note_moved(_mapper: Mapper[Any], _connection: Connection, item: Any) -> None:
    session = object_session(item)
    if session is not None and PENDING in change_of(item, "approval_status").deleted:
        _ended(session, item).ids.add(item.id)


@event.listens_for(ApprovableItem, "after_delete", propagate=True)
def _note_deleted(_mapper: Mapper[Any], _connection: Connection, item: Any) -> None:
    session = object_session(item)
    if session is not None:
        note_ended(session, [item])


def _ended(session: Session, item: Any) -> Ended:
    noted: defaultdict[type[Any], Ended] = session.info.setdefault(_NOTED, defaultdict(Ended))
    return noted[type(item)]
