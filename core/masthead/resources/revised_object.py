"""Objects of which an instance has one, such as its texts about itself, with revisions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import colander
from sqlalchemy.orm import Session

from masthead.audit.services import record
from masthead.auth.caller import Caller
from masthead.db import utcnow
from masthead.history.recording import begin_save, record_save
from masthead.history.snapshots import Snapshot, dump_fields
from masthead.http.endpoints import Endpoint
from masthead.http.permissions import OfArea
from masthead.resources.kept import KeptFields
from masthead.resources.revision_views import RevisedItems, RevisionViews
from masthead.schemas.fields import Field


@dataclass(frozen=True)
class _Found:
    """The object as an item, for the revisions of items."""

    id: str
    revision: int
    updated_at: Any


@dataclass(frozen=True)
class RevisedObject(OfArea, KeptFields):
    """An object with revisions, whose endpoints to read and change it a plugin declares."""

    name: str
    """Its name: ``about``. The endpoints are ``staff.about.revisions`` …."""
    label: str
    """Its name for readers."""
    area: str
    """The area of its permissions."""
    path: str
    """The address at which staff read and change it: ``/api/staff/about``."""
    body: colander.SchemaNode
    """The body of a change, whose members are the kept fields."""
    read: Callable[[Session], Mapping[str, Any]]
    """Return the values by wire name."""
    lock: Callable[[Session], int]
    """Lock the object against other writers, and return its revision for the ``ETag``."""
    write: Callable[[Session, Mapping[str, Any]], None]
    """Store checked values, after ``lock``."""
    plural: str = ""
    audit: str = ""
    """The action under which the audit log records changes; blank for none."""

    @property
    def personal(self) -> tuple[str, ...]:
        """No fields, as the object isn't about persons."""
        return ()

    @property
    def fields(self) -> tuple[Field, ...]:
        """The members of the body."""
        return tuple(_field(child) for child in self.body)

    @property
    def editable_fields(self) -> tuple[Field, ...]:
        """All fields."""
        return self.fields

    def snapshot(self, session: Session, _item: Any, _former: Snapshot | None = None) -> Snapshot:
        """Return its values, for its revisions."""
        return Snapshot(dump_fields(self.fields, self.read(session)))

    def change(
        self,
        session: Session,
        values: Mapping[str, Any],
        caller: Caller | None,
        restored_from: int | None = None,
    ) -> None:
        """Store checked values of the locked object, and record its revision."""
        found, former = self._found(0), dict(self.read(session))
        before = begin_save(session, self, found)
        self.write(session, values)
        present = self.read(session)
        changed = sorted(name for name in former if former[name] != present[name])
        if self.audit and changed:
            record(session, self.audit, caller, fields=changed)
        record_save(session, self, found, before, caller, restored_from=restored_from)

    def endpoints(self) -> list[Endpoint]:
        """Return the endpoints of its revisions."""
        items = RevisedItems(
            self,
            path=self.path,
            placeholder="",
            body=self.body,
            find=lambda _session, _id: self._found(0),
            lock=lambda session, _id: self._found(self.lock(session)),
            save=lambda session, _item, *given: self.change(session, *given),
        )
        return RevisionViews(items).endpoints()

    def _found(self, revision: int) -> _Found:
        return _Found(self.name, revision, utcnow())


def _field(child: colander.SchemaNode) -> Field:
    return Field(
        name=child.name,
        attribute=child.name,
        kind=child.typ,
        default=lambda: None,
        required=False,
        listed=True,
        public=True,
        staged=True,
        help=child.description,
        example=None,
    )
