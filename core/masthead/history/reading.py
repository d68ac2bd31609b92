"""Reading the revisions of an item, and the values of one that still fit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session, joinedload

from masthead.errors import NotFound
from masthead.history.models import Revision
from masthead.history.recording import key_of
from masthead.history.snapshots import Kept, Names
from masthead.history.values import load
from masthead.http.paging import Page, Window
from masthead.instance import instance_of
from masthead.references.checking import missing_references
from masthead.schemas.field_types import MAX_ID
from masthead.schemas.fields import Field
from masthead.schemas.stored import keeps_blank

REMOVED, ADDED, INVALID = "removed", "added", "invalid"
REASONS = (REMOVED, ADDED, INVALID)
_REMOVED = "The item has no such field any more"
_ADDED = "The field is younger than the revision"


@dataclass(frozen=True)
class Unfit:
    """A field whose value of a revision can't be shown or restored."""

    field: str
    reason: str
    """``removed``, ``added`` or ``invalid``."""
    message: str


@dataclass(frozen=True)
class Values:
    """The values of a revision, as far as they fit the fields of today."""

    fitting: Mapping[str, Any]
    """JSON values by wire name, cleaned as those of clients are."""
    unfit: list[Unfit]
    names: Names


def list_revisions(session: Session, kept: Kept, item_id: int | str, window: Window) -> Page:
    """Return a page of the revisions of an item, the newest first."""
    kind, item = key_of(kept.name, item_id)
    mine = (Revision.kind == kind, Revision.item == item)
    total = session.scalar(select(func.count()).select_from(Revision).where(*mine)) or 0
    newest = select(Revision).where(*mine).order_by(Revision.number.desc())
    rows = newest.limit(window.limit).offset(window.offset).options(joinedload(Revision.user))
    return Page(session.scalars(rows).all(), total)


def get_revision(session: Session, kept: Kept, item_id: int | str, number: int) -> Revision:
    """Return a revision of an item.

    :raises NotFound: if there is none with this number.
    """
    kind, item = key_of(kept.name, item_id)
    mine = (Revision.kind == kind, Revision.item == item, Revision.number == number)
    found = session.scalar(select(Revision).where(*mine).options(joinedload(Revision.user)))
    if found is None:
        raise NotFound("There is no such revision")
    return found


def newest_revision(session: Session, kept: Kept, item_id: int | str) -> Revision | None:
    """Return the newest revision of an item; None if it has none."""
    kind, item = key_of(kept.name, item_id)
    mine = select(Revision).where(Revision.kind == kind, Revision.item == item)
    return session.scalar(mine.order_by(Revision.number.desc()).limit(1))


def newest_number(session: Session, kept: Kept, item_id: int | str) -> int | None:
    """Return the number of the newest revision of an item; None if it has none."""
    newest = newest_revision(session, kept, item_id)
    return None if newest is None else newest.number


def read_values(session: Session, kept: Kept, revision: Revision) -> Values:
    """Return the values of a revision.

    :raises NotFound: if they are damaged.
    """
    snapshot = load(session, key_of(revision.kind, revision.item), revision.digest)
    return fit(session, kept, snapshot.values, snapshot.names)


def fit(session: Session, kept: Kept, values: Mapping[str, Any], names: Names) -> Values:
    """Sort values into those that fit the fields of today, and the others."""
    settings = instance_of(session).settings
    fields = {f.name: f for f in kept.fields if f.name not in kept.personal}
    fitting, unfit = {}, []
    for name, value in values.items():
        if name in fields:
            kind = fields[name].kind.bound(settings)
            try:
                fitting[name] = cleaned(fields[name], kind, value)
            except ValueError as error:
                unfit.append(Unfit(name, INVALID, str(error)))
        elif name not in kept.linked:
            unfit.append(Unfit(name, REMOVED, _REMOVED))
    for name, (it, ids) in missing_references(session, kept.fields, fitting).items():
        unfit.append(Unfit(name, INVALID, _lost(names.get(name, {}), sorted(ids))))
        rest = it.without(fitting.pop(name), ids)
        fitting |= {} if rest is None else {name: rest}
    for name in kept.linked & values.keys():
        fitting[name], missing = _sort_links(session, kept, name, values[name])
        if missing:
            unfit.append(Unfit(name, INVALID, _lost(names.get(name, {}), missing)))
    unfit += [Unfit(name, ADDED, _ADDED) for name in fields if name not in values]
    return Values(fitting, unfit, names)


def _lost(names: Mapping[str, str], ids: Iterable[Any]) -> str:
    """Return the message about linked rows that don't exist any more."""
    return f"Does not exist any more: {', '.join(names.get(str(i), str(i)) for i in ids)}"


def cleaned(field: Field, kind: Any, value: Any) -> Any:
    """Return a stored value, cleaned as those of clients are; ``ValueError`` says why not."""
    return value if value == "" and keeps_blank(field.kind) else kind.dump(kind.parse(value))


def _sort_links(session: Session, kept: Kept, name: str, value: Any) -> tuple[list[int], list[Any]]:
    """Return the ids of linked rows that exist, and the others."""
    ids = value if isinstance(value, list) else [value]
    valid = [each for each in ids if type(each) is int and 0 < each <= MAX_ID]
    present = kept.existing(session, name, valid)
    return sorted(present), [each for each in ids if each not in present]
