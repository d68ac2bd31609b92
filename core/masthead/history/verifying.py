"""Proving that the public sees the values that were approved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from masthead.errors import NotFound
from masthead.history.approved import approved_digest, kept_as
from masthead.history.models import Approved
from masthead.history.reading import fit, get_revision
from masthead.history.recording import key_of
from masthead.history.snapshots import Kept, Snapshot
from masthead.history.values import load
from masthead.instance import Instance
from masthead.references.fields import references_of

_BATCH = 100
"""The number of items in memory; each can have a megabyte."""


@dataclass(frozen=True)
class Deviation:
    """An item whose public values aren't the approved ones."""

    kind: str
    id: int
    title: str
    fields: list[str]
    """The names of the differing fields; empty if the approved values are lost."""


@dataclass
class Proof:
    """The result of a comparison of public items with their approved values."""

    checked: int = 0
    unrecorded: int = 0
    """The number of public items whose approval isn't recorded: imports publish without one, and
    releases before this one recorded none."""
    deviations: list[Deviation] = dataclass_field(default_factory=list)


def verify(instance: Instance, only: str | None = None) -> Proof:
    """Compare all published items with the values that were approved.

    :param only: the name of a type in the approval calls; None for all.
    """
    proof = Proof()
    for name in instance.content_types:
        kept = kept_as(instance, name)
        if kept is not None and only in (None, name):
            _verify(instance, kept, instance.content_types[name].model, proof)
    return proof


def _verify(instance: Instance, kept: Kept, model: Any, proof: Proof) -> None:
    last = 0
    while True:
        with instance.database.session(read_only=True) as session:
            rows = select(model).where(model.published.is_(True), model.id > last)
            items = session.scalars(rows.order_by(model.id).limit(_BATCH)).all()
            if not items:
                return
            last = items[-1].id
            proof.checked += len(items)
            approved = _approved(session, kept, [item.id for item in items])
            proof.unrecorded += sum(str(item.id) not in approved for item in items)
            proof.deviations += _deviations(session, kept, items, approved)


def _approved(session: Session, kept: Kept, ids: Sequence[int]) -> dict[str, Approved]:
    keys = [key_of(kept.name, each).item for each in ids]
    rows = select(Approved).where(
        Approved.kind == kept.name, Approved.item.in_(keys), Approved.digest.is_not(None)
    )
    return {row.item: row for row in session.scalars(rows)}


def _deviations(
    session: Session, kept: Kept, items: Sequence[Any], approved: Mapping[str, Approved]
) -> Iterator[Deviation]:
    for item, live in zip(items, kept.live_snapshots(session, items), strict=True):
        row = approved.get(str(item.id))
        if row is None or approved_digest(kept, live.values) == row.digest:
            continue
        # Seldom reached: a tag was deleted, the fields of the type have changed, or it is a fault.
        fields = _differing(session, kept, item.id, row, live)
        if fields is None or fields:
            yield Deviation(kept.name, item.id, item.title, fields or [])


def _differing(
    session: Session, kept: Kept, item_id: int, row: Approved, live: Snapshot
) -> list[str] | None:
    """Return the fields that differ from the approved values; None if those are lost.

    Fields that were added or removed since the approval don't count, nor do deleted tags and other
    items that don't exist any more.
    """
    try:
        revision = get_revision(session, kept, item_id, row.number or 0)
        stored = load(session, key_of(kept.name, item_id), revision.digest)
    except NotFound:
        return None
    known = stored.values.keys() & live.values.keys() & set(kept.approved_fields)
    referring = {it.name for it in references_of(kept.fields)}
    linking = (kept.linked | referring) & known
    linked = fit(session, kept, {n: stored.values[n] for n in linking}, {}).fitting
    wanted = {n: linked.get(n) if n in linking else stored.values[n] for n in known}
    return sorted(name for name in known if live.values[name] != wanted[name])
