"""The check of references before they are written, by any way."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import event, select
from sqlalchemy.orm import Session

from masthead.db.of_transaction import change_of
from masthead.errors import Invalid, Problem, ProblemCode
from masthead.instance import Instance, instance_of
from masthead.references.declared import Declared, declared_in
from masthead.references.fields import Reference, references_of
from masthead.schemas.fields import Field

_INSTANCE = "masthead.instance"
_AT_ONCE = 5_000
"""The number of ids per query, because databases limit the parameters of a statement."""
_MOST_PROBLEMS = 100


@dataclass(frozen=True)
class Wanted:
    """An id that an item refers to and did not refer to before."""

    reference: Reference
    target_id: int
    path: str


def declared_for(session: Session) -> Declared | None:
    """Return the declared references; None for a session without an instance."""
    instance: Instance | None = session.info.get(_INSTANCE)
    return None if instance is None else declared_in(instance)


@event.listens_for(Session, "before_flush")
def _check(session: Session, _context: object, _objects: object) -> None:
    """Refuse new references to items that don't exist, with one query per kind of these."""
    declared = declared_for(session)
    if declared is None or not declared.by_model:
        return
    written = ((it, declared.by_model.get(type(it))) for it in (*session.new, *session.dirty))
    wanted = [
        each
        for item, source in written
        if source is not None
        for reference in source.references
        for each in _new_references(declared, reference, item)
    ]
    if wanted:
        _refuse_missing(session, declared, wanted)


def _new_references(declared: Declared, reference: Reference, item: Any) -> Iterator[Wanted]:
    """Yield the ids that a save adds to the live or to the staged values of an item.

    The others stay, even if their plugin is disabled. Those of an enabled plugin are checked again
    when staged edits become live.
    """
    live_before, live = _change(item, reference.field.attribute)
    staged_before, staged = _change(item, "staged") if hasattr(item, "staged") else (None, None)
    old, now = reference.ids(live_before), reference.ids(live)
    old_staged = reference.ids((staged_before or {}).get(reference.name))
    now_staged = reference.ids((staged or {}).get(reference.name))
    is_enabled = reference.target in declared.kinds
    kept = {*old} if is_enabled else {*old, *old_staged}
    added = [each for each in enumerate(now_staged) if each[1] not in old_staged]
    places = (*enumerate(now), *added)
    yield from _wanted(reference, (each for each in places if each[1] not in kept))


def wanted_ids(reference: Reference, value: Any) -> Iterator[Wanted]:
    """Yield the ids in a value of a new item."""
    return _wanted(reference, enumerate(reference.ids(value)))


def _wanted(reference: Reference, places: Iterable[tuple[int, int]]) -> Iterator[Wanted]:
    """Yield the ids at some places of a value."""
    for place, target_id in places:
        path = f"{reference.name}.{place}" if reference.is_list else reference.name
        yield Wanted(reference, target_id, path)


def _change(item: Any, attribute: str) -> tuple[Any, Any]:
    """Return the value of an attribute before and after the flush."""
    history = change_of(item, attribute)
    [before] = history.deleted or history.unchanged or [None]
    [after] = history.added or [before]
    return before, after


def _refuse_missing(session: Session, declared: Declared, wanted: Sequence[Wanted]) -> None:
    """Refuse references to items that don't exist, and lock the others against a delete.

    :raises Invalid: naming the fields.
    """
    problems = list(Targets(session, declared, wanted).problems(wanted))
    if problems:
        raise Invalid(str(problems[0]), *problems[:_MOST_PROBLEMS])


class Targets:
    """The items that some ids refer to, locked against a delete until the transaction ends."""

    def __init__(self, session: Session, declared: Declared, wanted: Iterable[Wanted]) -> None:
        """Find the items, with one query per kind and thousands of ids."""
        self._declared = declared
        ids = defaultdict[str, set[int]](set)
        for each in wanted:
            ids[each.reference.target].add(each.target_id)
        # In one order, so that two transactions don't wait for each other.
        self._found = {
            it: existing_ids(session, declared, it, ids[it], lock=True) for it in sorted(ids)
        }

    def problems(self, wanted: Iterable[Wanted]) -> Iterator[Problem]:
        """Yield the problem of each of the ids that refers to nothing."""
        for each in wanted:
            if each.target_id not in self._found[each.reference.target]:
                yield _problem(self._declared, each)


def _problem(declared: Declared, wanted: Wanted) -> Problem:
    target = wanted.reference.target
    if target in declared.kinds:
        message = f"There is no item {wanted.target_id} of {target}"
        return Problem(wanted.path, ProblemCode.UNKNOWN_ID, message)
    message = f"{target} can't be chosen: no enabled plugin has it"
    return Problem(wanted.path, ProblemCode.NOT_ALLOWED, message)


def existing_ids(
    session: Session, declared: Declared, target: str, ids: Collection[int], *, lock: bool = False
) -> set[int]:
    """Return those of some ids that exist.

    :param target: the name of the content type or resource; without an enabled plugin, none exist.
    :param lock: whether to lock the items against a delete until the transaction ends.
    """
    if target not in declared.kinds:
        return set()
    column, found = declared.kinds[target].model.__table__.c.id, set[int]()
    ordered = sorted(ids)
    for start in range(0, len(ordered), _AT_ONCE):
        rows = select(column).where(column.in_(ordered[start : start + _AT_ONCE]))
        if lock:
            # Other changes of the items go on meanwhile.
            rows = rows.order_by(column).with_for_update(read=True, key_share=True)
        found |= set(session.connection().execute(rows).scalars())
    return found


def missing_references(
    session: Session, fields: Sequence[Field], values: Mapping[str, Any]
) -> dict[str, tuple[Reference, set[int]]]:
    """Return the references of stored values to items that don't exist any more, by field.

    References to items of disabled plugins don't count.

    :param values: values by wire name.
    """
    held = [it for it in references_of(fields) if it.ids(values.get(it.name))]
    if not held:
        return {}
    declared = declared_in(instance_of(session))
    ids = defaultdict[str, set[int]](set)
    for each in held:
        ids[each.target].update(each.ids(values[each.name]))
    found = {it: existing_ids(session, declared, it, ids[it]) for it in ids if it in declared.kinds}
    missing = {
        it.name: (it, set(it.ids(values[it.name])) - found[it.target])
        for it in held
        if it.target in found
    }
    return {name: each for name, each in missing.items() if each[1]}


def drop_missing(session: Session, fields: Sequence[Field], item: Any) -> None:
    """Remove the items that don't exist any more from the staged references of an item.

    A required reference keeps its live value.
    """
    staged = item.staged or {}
    for name, (reference, ids) in missing_references(session, fields, staged).items():
        rest = reference.without(staged[name], ids)
        if rest is None and reference.field.required:
            rest = getattr(item, reference.field.attribute)
        item.staged = item.staged | {name: rest}


def without_missing(
    session: Session, fields: Sequence[Field], values: Mapping[str, Any]
) -> dict[str, Any]:
    """Return values for a new item, without references to items that can't be chosen.

    :param values: values by wire name.
    """
    declared, rest = declared_in(instance_of(session)), dict(values)
    for it in references_of(fields):
        ids = set(it.ids(values.get(it.name)))
        if ids:
            found = existing_ids(session, declared, it.target, ids)
            rest[it.name] = it.without(values[it.name], ids - found)
    return rest
