"""Recording the states of items at their saves."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, NamedTuple

from sqlalchemy import Row, bindparam, insert, select, update
from sqlalchemy.orm import Session

from masthead.auth.caller import Caller
from masthead.db import utcnow
from masthead.history.models import LIVE, STAGED, Revision, RevisionValue
from masthead.history.settings import FOLD_MINUTES, RECORD
from masthead.history.snapshots import Kept, Snapshot, State, state_of
from masthead.history.values import Head, Key, forget_replaced, store
from masthead.instance import instance_of

# Statements of tables that are built once, because saves are frequent.
_REVISION: Any = Revision.__table__
_VALUE: Any = RevisionValue.__table__
_its = _REVISION.c
_NEWEST = (
    select(
        *(_its.id, _its.number, _its.digest, _its.copy, _its.user_id, _its.began_at),
        *(_its.changed, _its.saves, _its.restored_from, _its.approved_at, _its.item_revision),
        _VALUE.c.place,
    )
    .outerjoin(
        _VALUE,
        (_VALUE.c.kind == _its.kind)
        & (_VALUE.c.item == _its.item)
        & (_VALUE.c.digest == _its.digest),
    )
    .where(_its.kind == bindparam("kind"), _its.item == bindparam("item"))
    .order_by(_its.number.desc())
    .limit(1)
)
_ADD = insert(_REVISION)
_CHANGE = update(_REVISION).where(_its.id == bindparam("revision_id"))


@dataclass(frozen=True)
class Recorded:
    """A state of an item that is recorded."""

    kept: Kept
    key: Key
    number: int
    """The number of its revision."""
    state: State


class BothRecorded(NamedTuple):
    """The recorded states of both copies of an item."""

    live: Recorded
    staged: Recorded


def key_of(kind: str, item_id: int | str) -> Key:
    """Return the key of an item's revisions."""
    return Key(kind, str(item_id))


def begin_save(session: Session, kept: Kept, item: Any) -> State | None:
    """Return the state of a locked item before a save; None if no revisions are kept."""
    if not instance_of(session).settings[RECORD]:
        return None
    return state_of(session, kept, item)


def record_save(
    session: Session,
    kept: Kept,
    item: Any,
    before: State | None,
    caller: Caller | None,
    *,
    relinked: bool = False,
    restored_from: int | None = None,
) -> Recorded | None:
    """Record the state of a saved and flushed item; and that before it, if it isn't recorded yet.

    :param before: the result of ``begin_save``.
    :param caller: the user who has saved it; None for the command line.
    :param relinked: whether the linked rows may have changed, such as the tags.
    :param restored_from: the number of the revision whose values were restored.
    """
    if before is None:
        return None
    after = state_of(session, kept, item, None if relinked else before.snapshot)
    key = key_of(kept.name, item.id)
    newest = _ensure(session, key, before)
    if after.snapshot.digest == newest.digest and after.staged == (newest.copy == STAGED):
        return Recorded(kept, key, newest.number, after)
    changed = _differing(before, after)
    if restored_from is None and _folds(session, newest, after, caller):
        _fold(session, key, newest, after, caller, changed)
        return Recorded(kept, key, newest.number, after)
    facts = _facts(caller, changed)
    _add(session, key, newest, after, restored_from=restored_from, **facts)
    return Recorded(kept, key, newest.number + 1, after)


def record_live_save(
    session: Session,
    kept: Kept,
    item: Any,
    before: State | None,
    live: Snapshot,
    caller: Caller | None,
    changed: Collection[str],
) -> BothRecorded | None:
    """Record the states of both copies of a flushed item after a save of the live one.

    The staged copy comes last, because it is the one that staff see.

    :param before: the result of ``begin_save``.
    :param live: the values of the live copy.
    :param changed: the names of its fields that the save has changed.
    """
    if before is None:
        return None
    after, key = state_of(session, kept, item), key_of(kept.name, item.id)
    newest = _ensure(session, key, before)
    saved = State(live, staged=False, at=after.at, user_id=after.user_id)
    _add(session, key, newest, saved, **_facts(caller, sorted(changed)))
    _add(session, key, _newest(session, key), after, **_facts(caller, _differing(before, after)))
    number = newest.number + 1
    return BothRecorded(Recorded(kept, key, number, saved), Recorded(kept, key, number + 1, after))


def _facts(caller: Caller | None, changed: list[str]) -> dict[str, Any]:
    """Return the facts about a save."""
    return {
        "user_id": None if caller is None else caller.id,
        "client": None if caller is None else caller.client,
        "changed": changed,
    }


def ensure_recorded(session: Session, kept: Kept, item: Any) -> Recorded:
    """Record the present state of a locked item unless it is recorded already."""
    key, state = key_of(kept.name, item.id), state_of(session, kept, item)
    return Recorded(kept, key, _ensure(session, key, state).number, state)


def settle_approved(session: Session, shown: Recorded, state: State) -> None:
    """Mark a revision as approved, and give it the values that the approval has added.

    Those are for example an address and the time of publication, which no save has made.

    :param state: the state after the approval.
    """
    newest = _newest(session, shown.key)
    assert newest is not None
    digest = state.snapshot.digest
    if digest != newest.digest:
        store(session, shown.key, state.snapshot, _head(newest), replaces=True)
    facts = {"approved_at": utcnow(), "copy": STAGED if state.staged else LIVE, "digest": digest}
    session.connection().execute(_CHANGE, {"revision_id": newest.id, **facts})
    if digest != newest.digest:
        forget_replaced(session, shown.key, newest.digest)


def _ensure(session: Session, key: Key, state: State) -> Row[Any]:
    """Return the newest revision, after adding one for a state that isn't recorded."""
    newest = _newest(session, key)
    if newest is None or newest.digest != state.snapshot.digest:
        # The last editor has made the first state; later ones come from other code.
        user_id = state.user_id if newest is None else None
        _add(session, key, newest, state, user_id=user_id, at=state.at, saves=0)
        newest = _newest(session, key)
        assert newest is not None
    elif newest.item_revision != state.item_revision:
        facts = {"revision_id": newest.id, "item_revision": state.item_revision}
        session.connection().execute(_CHANGE, facts)
    return newest


def _newest(session: Session, key: Key) -> Row[Any] | None:
    rows: Any = session.connection().execute(_NEWEST, key._asdict())
    newest: Row[Any] | None = rows.first()
    return newest


def _add(session: Session, key: Key, newest: Row[Any] | None, state: State, **facts: Any) -> None:
    """Add a revision after the newest one."""
    store(session, key, state.snapshot, _head(newest))
    now = facts.pop("at", None) or utcnow()
    row: dict[str, Any] = {
        "kind": key.kind,
        "item": key.item,
        "number": 1 if newest is None else newest.number + 1,
        "item_revision": state.item_revision,
        "copy": STAGED if state.staged else LIVE,
        "began_at": now,
        "at": now,
        "saves": 1,
        "user_id": None,
        "client": None,
        "changed": [],
        "restored_from": None,
        "digest": state.snapshot.digest,
    }
    session.connection().execute(_ADD, row | facts)


def _folds(session: Session, newest: Row[Any], after: State, caller: Caller | None) -> bool:
    """Whether a save belongs to the newest revision."""
    minutes = instance_of(session).settings[FOLD_MINUTES]
    return (
        caller is not None
        and newest.user_id == caller.id
        and newest.saves > 0
        and newest.restored_from is None
        and newest.approved_at is None
        and after.staged == (newest.copy == STAGED)
        and utcnow() - newest.began_at < timedelta(minutes=minutes)
    )


def _fold(
    session: Session,
    key: Key,
    newest: Row[Any],
    after: State,
    caller: Caller | None,
    changed: list[str],
) -> None:
    """Let the newest revision have the state after one more save."""
    store(session, key, after.snapshot, _head(newest), replaces=True)
    facts = {
        "revision_id": newest.id,
        "at": utcnow(),
        "saves": newest.saves + 1,
        "client": None if caller is None else caller.client,
        "changed": sorted({*newest.changed, *changed}),
        "digest": after.snapshot.digest,
        "item_revision": after.item_revision,
    }
    session.connection().execute(_CHANGE, facts)
    if newest.digest != after.snapshot.digest:
        forget_replaced(session, key, newest.digest)


def _head(newest: Row[Any] | None) -> Head | None:
    return None if newest is None or newest.place is None else Head(newest.digest, newest.place)


def _differing(before: State, after: State) -> list[str]:
    former, values = before.snapshot.values, after.snapshot.values
    return sorted(name for name in values if values[name] != former.get(name))
