"""Approvable kinds of content: the declaration, and the columns of the model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import (
    Boolean,
    ColumnElement,
    ForeignKey,
    Index,
    Integer,
    String,
    false,
    text,
)
from sqlalchemy.orm import Mapped, Session, declared_attr, mapped_column

from masthead.auth.caller import Caller
from masthead.auth.models import User
from masthead.db import ID, UTCDateTime, utcnow
from masthead.errors import ProblemCode, wrong_field
from masthead.http.permissions import OfArea
from masthead.schemas.field_types import DESCRIPTION, Choice, FieldType, Int, Str, Timestamp
from masthead.schemas.schema import Nullable
from masthead.schemas.stored import checked_as

DRAFT, PENDING, APPROVED, REJECTED = "draft", "pending", "approved", "rejected"
STATUSES = (DRAFT, PENDING, APPROVED, REJECTED)
_IS_PENDING = text("approval_status = 'pending'")


APPROVAL_FIELDS: Mapping[str, FieldType] = {
    "approvalStatus": Choice(*STATUSES).described("The state of the approval.", APPROVED),
    "approvalRequestedAt": Nullable(Timestamp()).described("The time of the last request."),
    "approvalRequestedBy": Nullable(Int()).described("The id of the user who requested it."),
    "approvedAt": Nullable(Timestamp()).described("The time of the last approval."),
    "approvedBy": Nullable(Int()).described("The id of the user who approved it."),
    "rejectedAt": Nullable(Timestamp()).described("The time of the last rejection."),
    "rejectedBy": Nullable(Int()).described("The id of the user who rejected it."),
    "rejectionReason": Nullable(Str(DESCRIPTION)).described("The reason of the last rejection."),
    "approvalComment": Nullable(Str(DESCRIPTION)).described(
        "The comment of the last request or approval."
    ),
}
"""The types of the state of an approval in answers for staff, by wire name."""


def _user_reference(sort_order: int, *, index: bool = False) -> declared_attr[int | None]:
    """Return a column that refers to a user, made anew for each model.

    A copied column would lose the reference to core's table.
    """

    def column(_model: Any) -> Mapped[int | None]:
        return mapped_column(ForeignKey(User.id), nullable=True, index=index, sort_order=sort_order)

    return declared_attr(column)


class ApprovableItem:
    """Mixin: the columns of an item that goes through the approval workflow.

    Each column states its type because a model's base may map ``int`` or ``str`` differently. A new
    column needs a step of the kit, in ``masthead.db.kit.steps``.

    ``approval_status`` is assigned by ``masthead.approval.transitions`` and nowhere else.
    """

    __kit__ = "approvable"
    # Otherwise SQLite reuses the id of a deleted item, and with it the item's links and history.
    __table_args__: Any = {"sqlite_autoincrement": True}

    id: Mapped[int] = mapped_column(ID, primary_key=True, sort_order=-20)
    title: Mapped[str] = mapped_column(String(), sort_order=-19)
    published: Mapped[bool] = mapped_column(Boolean(), default=False, sort_order=10)
    approval_status: Mapped[str] = mapped_column(
        String(8), default=DRAFT, sort_order=11, info=checked_as(Choice(*STATUSES))
    )
    approval_requested_at: Mapped[datetime | None] = mapped_column(UTCDateTime(), sort_order=12)
    approval_requested_by = _user_reference(13)
    approved_at: Mapped[datetime | None] = mapped_column(UTCDateTime(), sort_order=14)
    approved_by = _user_reference(15)
    rejected_at: Mapped[datetime | None] = mapped_column(UTCDateTime(), sort_order=16)
    rejected_by = _user_reference(17)
    rejection_reason: Mapped[str | None] = mapped_column(String(), sort_order=18)
    approval_comment: Mapped[str | None] = mapped_column(String(), sort_order=18)
    """The comment on the last request or approval."""
    revision: Mapped[int] = mapped_column(Integer(), default=1, sort_order=19)
    created_by = _user_reference(20, index=True)
    edited_by = _user_reference(21)
    """The user of the last edit, who may not approve it under four eyes."""
    created_at: Mapped[datetime] = mapped_column(UTCDateTime(), default=utcnow, sort_order=22)
    updated_at: Mapped[datetime] = mapped_column(UTCDateTime(), default=utcnow, sort_order=23)


@dataclass(frozen=True)
class ScheduledChange:
    """A change of items that happens by itself at a time, for the schedule of staff."""

    name: str
    """Such as ``sent``."""
    at: ColumnElement[Any]
    """The time, a ``UTCDateTime``, with an index; null for items without one."""
    happens: ColumnElement[bool]
    """Whether it happens if nobody does anything."""
    conditions: Sequence[ColumnElement[bool]] = ()
    """Conditions on the items for which the time means anything."""


@dataclass(frozen=True)
class Approvable(OfArea):
    """A kind of content whose items are approved before they become public.

    Subclasses define the effect of an approval.
    """

    name: str
    """The name in the approval calls, in the plural: ``news``."""
    label: str
    """The name in texts for people, in the singular: ``News Article``."""
    model: type[Any]
    """A mapped class with the columns of :class:`ApprovableItem`."""
    area: str = ""
    """The area of its permissions; the name by default."""
    plural: str = ""
    """The name in texts for people, in the plural; by default it follows from the label."""
    schedule: Sequence[ScheduledChange] = ()
    """The changes of items that happen by themselves; those of every content type are added."""

    def __post_init__(self) -> None:
        """Default the area to the name, and add the index of the pending items to the model."""
        object.__setattr__(self, "area", self.area or self.name)
        table = self.model.__table__
        name = f"ix_{table.name}_pending"
        # A plugin may declare a model again each time that it is asked.
        if name not in {index.name for index in table.indexes}:
            columns = (table.c.approval_requested_at, table.c.id)
            Index(name, *columns, sqlite_where=_IS_PENDING, postgresql_where=_IS_PENDING)

    def approve_until(
        self,
        session: Session,  # noqa: ARG002 - for subclasses
        item: Any,  # noqa: ARG002 - for subclasses
        until: datetime,  # noqa: ARG002 - for subclasses
        caller: Caller | None,  # noqa: ARG002 - for subclasses
    ) -> None:
        """Limit the time for which an item that is about to be approved is public.

        :raises Invalid: always, as only content has such a time.
        """
        raise wrong_field("until", ProblemCode.NOT_ALLOWED, "Items of this type have no end")

    def shown_title(self, item: Any) -> str:
        """Return the item's title as staff see it."""
        title: str = item.title
        return title

    def shown_titles(self) -> ColumnElement[str]:
        """Return an expression for the titles of items as staff see them."""
        titles: ColumnElement[str] = self.model.__table__.c.title
        return titles

    def scheduled_changes(self) -> Sequence[ScheduledChange]:
        """Return all changes of items that happen by themselves."""
        return self.schedule

    def has_staged_edits(self) -> ColumnElement[bool]:
        """Return the condition that an item has staged edits."""
        return false()

    # Subclasses need all arguments.
    def approved(self, session: Session, item: Any, now: datetime) -> None:  # noqa: ARG002
        """Apply an approval to an item, in the transaction of the transition."""
        item.published = True

    def rejected(self, item: Any) -> None:
        """Apply a rejection to an item."""
        item.published = False
