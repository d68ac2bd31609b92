"""Changes that are based on a former revision of an item: their conflicts, and merging them.

A client bases a change on the item's revision in the ``ETag``. A field that only one side has
changed since then is taken from that side. The values at the base come from the revisions; where a
later save of the same person has replaced them, the fields that saves have changed are known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from masthead.errors import NotFound, Refused, Stale
from masthead.history.models import Revision
from masthead.history.reading import fit
from masthead.history.recording import key_of
from masthead.history.snapshots import Kept, Snapshot, state_of
from masthead.history.values import load
from masthead.http.revisions import Precondition
from masthead.schemas.field_types import Bool
from masthead.schemas.schema import optional

MERGE, PUBLISHED, LIVE = "merge", "published", "live"
MERGE_FIELD = optional(
    Bool(),
    nullable=False,
    help="Whether to save the fields that nobody else has changed, if the item has changed since"
    " the revision that you name. If you and somebody else have changed the same field, nothing is"
    " saved.",
)


@dataclass(frozen=True)
class Change:
    """A change that fits the present values of an item."""

    values: Mapping[str, Any]
    """The values to save."""
    others: list[str] | None = None
    """The fields that others have changed since the base, as far as they are known; None if the
    item has not changed."""


@dataclass(frozen=True)
class _Conflict:
    """The values of an item that has changed since a client read it."""

    current: Mapping[str, Any]
    """The present values as JSON, by wire name."""
    base: Mapping[str, Any] | None
    """Those that the client has read; None if they aren't kept."""
    changed: frozenset[str] | None
    """The fields that others may have changed since then; None if any may have changed."""

    def others(self, name: str) -> bool:
        """Whether others may have changed a field."""
        return self.changed is None or name in self.changed


def fit_change(
    session: Session, kept: Kept, item: Any, precondition: Precondition, sent: Mapping[str, Any]
) -> Change:
    """Return the part of a change that fits a locked item.

    :param precondition: the revision on which the client bases the change.
    :param sent: the checked body of the change, by wire name.
    :raises Stale, Refused: with both versions if the item has another revision, unless the change
        is to be merged and no field collides.
    """
    try:
        precondition.check(item.revision)
    except (Refused, Stale) as refusal:
        conflict = _read(session, kept, item, precondition.named)
        values, collisions = _divide(kept, item, conflict, sent)
        # The values are compared with those that staff see, which are the staged ones.
        is_beside = sent.get(LIVE, False) and getattr(item, "staged", None) is not None
        if sent.get(MERGE) and not collisions and not is_beside:
            return Change(values, sorted(conflict.changed or ()))
        versions = {"current": conflict.current, "base": conflict.base, "collisions": collisions}
        refusal.details = {"conflict": {"etag": str(item.revision), **versions}}
        raise
    return Change(sent)


def _divide(
    kept: Kept, item: Any, conflict: _Conflict, sent: Mapping[str, Any]
) -> tuple[dict[str, Any], list[str]]:
    """Return the sent values that change something, and the fields that collide."""
    values, collisions = dict[str, Any](), []
    for name, value in sent.items():
        if name not in conflict.current:
            values[name] = value
            if name == PUBLISHED and value != item.published:
                collisions.append(name)
        elif _is_change(kept, conflict, name, value):
            values[name] = value
            if conflict.others(name):
                collisions.append(name)
    return values, sorted(collisions)


def _is_change(kept: Kept, conflict: _Conflict, name: str, value: Any) -> bool:
    """Whether a sent value changes a field, compared with the present and the former value."""
    if name in kept.linked:
        dumped = sorted(value)
    else:
        dumped = next(f for f in kept.fields if f.name == name).kind.dump(value)
    if dumped == conflict.current[name]:
        return False
    return conflict.base is None or name not in conflict.base or dumped != conflict.base[name]


def _read(session: Session, kept: Kept, item: Any, named: int | None) -> _Conflict:
    """Return the present values, and those at the revision that a client names."""
    present = state_of(session, kept, item).snapshot
    # No revision tells whether others have changed them.
    personal = _personal_values(kept, item)
    current = {**present.values, **personal}
    found = _since(session, kept, item.id, named) if named and named < item.revision else []
    if not found:
        return _Conflict(current, None, None)
    is_base = found[0].item_revision == named
    base = _values(session, kept, found[0]) if is_base else None
    if base is None:
        named_by_saves = _named_by(found[1:], present)
        known = None if named_by_saves is None else named_by_saves | personal.keys()
        return _Conflict(current, None, known)
    changed = {
        name for name, value in present.values.items() if name not in base or base[name] != value
    }
    return _Conflict(current, base, frozenset(changed | personal.keys()))


def _personal_values(kept: Kept, item: Any) -> dict[str, Any]:
    """Return the present values of the fields that revisions don't keep."""
    fields = (f for f in kept.fields if f.name in kept.personal)
    return {f.name: f.kind.dump(getattr(item, f.attribute)) for f in fields}


def _since(session: Session, kept: Kept, item_id: int | str, named: int) -> Sequence[Revision]:
    """Return the revision with the values at the base, or the last one before, and all later."""
    kind, key = key_of(kept.name, item_id)
    mine = (Revision.kind == kind, Revision.item == key)
    base = select(func.max(Revision.number)).where(*mine, Revision.item_revision <= named)
    found = select(Revision).where(*mine, Revision.number >= base.scalar_subquery())
    return session.scalars(found.order_by(Revision.number)).all()


def _values(session: Session, kept: Kept, revision: Revision) -> Mapping[str, Any] | None:
    """Return the values of a revision that fit today, with all linked rows of then."""
    try:
        values = load(session, key_of(revision.kind, revision.item), revision.digest).values
    except NotFound:
        return None
    linked = {name: values[name] for name in kept.linked & values.keys()}
    return {**fit(session, kept, values, {}).fitting, **linked}


def _named_by(later: Sequence[Revision], present: Snapshot) -> frozenset[str] | None:
    """Return the fields that later revisions name; None if other code has changed the item, too."""
    is_recorded = bool(later) and later[-1].digest == present.digest
    if not is_recorded or any(each.saves == 0 for each in later):
        return None
    return frozenset(name for each in later for name in each.changed)
