"""Deriving the table of references anew, after writes that bypass SQLAlchemy's objects."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from sqlalchemy import Row, Select, delete, exists, select
from sqlalchemy.orm import Session

from masthead.db.changed_tables import touch
from masthead.db.locking import lock
from masthead.db.once import OnceMarker
from masthead.instance import Instance, instance_of
from masthead.references.declared import Source, declared_in
from masthead.references.models import ItemReference
from masthead.references.recording import rows_of

_BATCH = 500
_FORM = "references"
"""The kind of the :class:`OnceMarker` rows whose names are the known references."""
_SHOWN = 10


def rebuild_references(session: Session, sources: Iterable[Source]) -> None:
    """Derive the references of all items of some kinds anew."""
    table: Any = ItemReference.__table__
    for source in sources:
        session.execute(delete(table).where(table.c.kind == source.kind.name))
        for items in _batches(session, source):
            rows = [row for item in items for row in rows_of(source, item)]
            if rows:
                session.execute(table.insert(), rows)
        # The table is private, and filters read it.
        touch(session.connection(), source.kind.model.__tablename__)


def rebuild_all(session: Session) -> None:
    """Derive all references anew."""
    rebuild_references(session, declared_in(instance_of(session)).sources.values())


def rebuild_outdated(session: Session, instance: Instance) -> None:
    """Derive the references of the kinds whose declaration has changed since the last start.

    It is safe to call this at every start.
    """
    lock(session, _FORM)
    marked = OnceMarker.kind == _FORM
    known = set(session.scalars(select(OnceMarker.name).where(marked)))
    forms = {_form(it): it for it in declared_in(instance).sources.values()}
    new = forms.keys() - known
    rebuild_references(session, (forms[form] for form in sorted(new)))
    session.add_all(OnceMarker(kind=_FORM, name=form) for form in sorted(new))
    # The references of a disabled plugin stay; without a need, no write.
    names = {form.partition(" ")[0] for form in new}
    if old := {each for each in known if each.partition(" ")[0] in names}:
        session.execute(delete(OnceMarker).where(marked, OnceMarker.name.in_(old)))


def dangling_references(session: Session) -> list[str]:
    """Return a message for each kind with references to items that don't exist."""
    declared, messages = declared_in(instance_of(session)), []
    table: Any = ItemReference.__table__
    pairs = select(table.c.kind, table.c.target).distinct().order_by(table.c.kind, table.c.target)
    for kind, target in session.execute(pairs).all():
        if target in declared.kinds:
            of_pair = (table.c.kind == kind, table.c.target == target)
            targets = declared.kinds[target].model.__table__
            lost = ~exists().where(targets.c.id == table.c.target_id)
            rows = session.execute(
                select(table.c.item_id, table.c.field, table.c.target_id).where(*of_pair, lost)
            ).all()
            messages += [_message(kind, target, rows)] if rows else []
    return messages


def _message(kind: str, target: str, rows: Sequence[Row[Any]]) -> str:
    named = ", ".join(f"{row.item_id} ({row.field} {row.target_id})" for row in rows[:_SHOWN])
    more = f" and {len(rows) - _SHOWN} more" if len(rows) > _SHOWN else ""
    return f"these items of {kind} refer to items of {target} that don't exist: {named}{more}"


def _batches(session: Session, source: Source) -> Iterator[Sequence[Row[Any]]]:
    """Yield the rows of all items, with the columns that references are derived from."""
    table, last = source.kind.model.__table__, 0
    names = ["id", *(it.field.attribute for it in source.references)]
    names += ["staged"] if "staged" in table.c else []
    rows: Select[Any] = (
        select(*(table.c[name] for name in names)).order_by(table.c.id).limit(_BATCH)
    )
    while batch := session.execute(rows.where(table.c.id > last)).all():
        last = batch[-1].id
        yield batch


def _form(source: Source) -> str:
    """Return the kind and its references, as far as their rows depend on them."""
    fields = [f"{it.name}:{it.target}:{it.field.staged}" for it in source.references]
    return f"{source.kind.name} {' '.join(fields)}"
