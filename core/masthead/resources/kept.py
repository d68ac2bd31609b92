"""The values of a resource's items that are kept as revisions: its fields."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from sqlalchemy.orm import Session

from masthead.history.snapshots import Snapshot, snapshot_of
from masthead.schemas.fields import Field

PUBLISHED = "published"
"""The field that says whether the public sees an item."""


class KeptFields(ABC):
    """A resource whose items have no linked rows and no staged edits."""

    fields: Any
    """All fields."""
    personal: Any
    """The names of the fields with data of persons, which revisions don't keep."""

    @property
    @abstractmethod
    def editable_fields(self) -> tuple[Field, ...]:
        """The fields that an update can change."""

    linked: ClassVar[frozenset[str]] = frozenset()
    """The names of values of revisions that are no fields: none."""

    @property
    def approved_fields(self) -> frozenset[str]:
        """The names of the fields whose edits need approval, if its items are approved."""
        return frozenset(f.name for f in self.fields if f.staged)

    @property
    def restored_fields(self) -> frozenset[str]:
        """The names of the values that restoring a revision restores."""
        restored = frozenset(f.name for f in self.editable_fields if f.staged)
        return restored - {PUBLISHED, *self.personal}

    def snapshot(self, session: Session, item: Any, _former: Snapshot | None = None) -> Snapshot:
        """Return the values of an item, for its revisions."""
        kept = [f for f in self.fields if f.name not in self.personal]
        return snapshot_of(session, kept, item)

    def live_snapshots(self, _session: Session, items: Sequence[Any]) -> list[Snapshot]:
        """Return the values of items, without names."""
        return [
            Snapshot({f.name: f.kind.dump(getattr(item, f.attribute)) for f in self.fields})
            for item in items
        ]

    def edited(self, _item: Any, _values: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """Return None, as its items have no staged edits."""
        return None

    def existing(self, _session: Session, _name: str, _ids: Sequence[int]) -> set[int]:
        """Return no ids, as its items have no linked rows."""
        return set()

    def link_names(
        self, _session: Session, _ids: Sequence[int]
    ) -> Mapping[int, Mapping[str, Mapping[int, str]]]:
        """Return no names, as its items have no linked rows."""
        return {}
