"""Recording the states of items at their saves."""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta
from typing import Any, cast

from sqlalchemy import Row, delete, insert, select, update
from sqlalchemy.orm import Session

from masthead.auth.caller import Caller
from masthead.db import utcnow
from masthead.history.models import LIVE, STAGED, Revision, RevisionValue
from masthead.history.settings import FOLD_MINUTES, RECORD
from masthead.history.snapshots import Kept, State, state_of
from masthead.history.values import Head, Key, forget_replaced, store
from masthead.instance import instance_of

_NEWEST = (Revision.id, Revision.number, Revision.digest, Revision.copy, Revision.user_id)
_FOLDED = (Revision.began_at, Revision.changed, Revision.saves, Revision.restored_from)


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
    restored_from: int | None = None,
) -> None:
    """Record the state of a saved and flushed item; and that before it, if it isn't recorded yet.

    :param before: the result of ``begin_save``.
    :param caller: the user who has saved it; None for the command line.
    :param restored_from: the number of the revision whose values were restored.
    """
    if before is None:
        return
    key, after = key_of(kept.name, item.id), state_of(session, kept, item)
    newest = _ensure(session, key, before)
    if after.snapshot.digest == newest.digest and after.staged == (newest.copy == STAGED):
        return
    changed = _differing(before, after)
    if restored_from is None and _folds(session, newest, after, caller):
        _fold(session, key, newest, after, caller, changed)
    else:
        _add(
            session,
            key,
            newest,
            after,
            user_id=None if caller is None else caller.id,
            client=None if caller is None else caller.client,
            changed=changed,
            restored_from=restored_from,
        )


def ensure_recorded(session: Session, kept: Kept, item: Any) -> tuple[int, State]:
    """Record the present state of a locked item unless it is; return its number and the state."""
    state = state_of(session, kept, item)
    return _ensure(session, key_of(kept.name, item.id), state).number, state


def forget_revisions(session: Session, kind: str, ids: Collection[int | str]) -> None:
    """Delete the revisions of deleted items, and their values."""
    items = [str(each) for each in ids]
    for table in (Revision, RevisionValue):
        mine = delete(table).where(table.kind == kind, table.item.in_(items))
        session.execute(mine.execution_options(synchronize_session=False))


def _ensure(session: Session, key: Key, state: State) -> Row[Any]:
    """Return the newest revision, after adding one for a state that isn't recorded."""
    newest = _newest(session, key)
    if newest is None or newest.digest != state.snapshot.digest:
        # The last editor has made the first state; later ones come from other code.
        user_id = state.user_id if newest is None else None
        _add(session, key, newest, state, user_id=user_id, at=state.at, saves=0)
        newest = _newest(session, key)
        assert newest is not None
    return newest


def _newest(session: Session, key: Key) -> Row[Any] | None:
    its = (Revision.kind == key.kind, Revision.item == key.item)
    rows = select(*_NEWEST, *_FOLDED, Revision.approved_at, RevisionValue.place).outerjoin(
        RevisionValue,
        (RevisionValue.kind == Revision.kind)
        & (RevisionValue.item == Revision.item)
        & (RevisionValue.digest == Revision.digest),
    )
    newest = rows.where(*its).order_by(Revision.number.desc()).limit(1)
    return cast("Row[Any] | None", session.execute(newest).first())


def _add(session: Session, key: Key, newest: Row[Any] | None, state: State, **facts: Any) -> None:
    """Add a revision after the newest one."""
    store(session, key, state.snapshot, _head(newest))
    now = facts.pop("at", None) or utcnow()
    row: dict[str, Any] = {
        "kind": key.kind,
        "item": key.item,
        "number": 1 if newest is None else newest.number + 1,
        "copy": STAGED if state.staged else LIVE,
        "began_at": now,
        "at": now,
        "changed": [],
        "digest": state.snapshot.digest,
    }
    session.execute(insert(Revision), [row | facts])


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
        "at": utcnow(),
        "saves": newest.saves + 1,
        "client": None if caller is None else caller.client,
        "changed": sorted({*newest.changed, *changed}),
        "digest": after.snapshot.digest,
    }
    session.execute(update(Revision).where(Revision.id == newest.id).values(facts))
    if newest.digest != after.snapshot.digest:
        forget_replaced(session, key, newest.digest)


def _head(newest: Row[Any] | None) -> Head | None:
    return None if newest is None or newest.place is None else Head(newest.digest, newest.place)


def _differing(before: State, after: State) -> list[str]:
    former, values = before.snapshot.values, after.snapshot.values
    return sorted(name for name in values if values[name] != former.get(name))
