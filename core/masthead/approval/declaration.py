"""What makes a kind of content approvable: a declaration, and the columns of its model."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Boolean, ForeignKey, Integer, String
from sqlalchemy.orm import Mapped, Session, declared_attr, mapped_column

from masthead.auth.models import User
from masthead.db import ID, UTCDateTime, utcnow

DRAFT, PENDING, APPROVED, REJECTED = "draft", "pending", "approved", "rejected"
STATUSES = (DRAFT, PENDING, APPROVED, REJECTED)


def _user_reference(sort_order: int, *, index: bool = False) -> declared_attr[int | None]:
    """A column that names a user; made anew for each model, as a copy would lose core's table."""

    def column(_model: Any) -> Mapped[int | None]:
        return mapped_column(ForeignKey(User.id), nullable=True, index=index, sort_order=sort_order)

    return declared_attr(column)


class ApprovableItem:
    """Mixin: the columns of an item that goes through the approval workflow.

    Each has its type here, whatever the base of a model makes of ``int`` or ``str``; what is added
    is a step of the kit, in ``masthead.db.kit.steps``.

    ``approval_status`` is assigned by ``masthead.approval.transitions`` and nowhere else.
    """

    __kit__ = "approvable"
    # SQLite would give the id of a deleted item again, and with it the item's links and history.
    __table_args__: Any = {"sqlite_autoincrement": True}

    id: Mapped[int] = mapped_column(ID, primary_key=True, sort_order=-20)
    title: Mapped[str] = mapped_column(String(), sort_order=-19)
    published: Mapped[bool] = mapped_column(Boolean(), default=False, sort_order=10)
    approval_status: Mapped[str] = mapped_column(String(8), default=DRAFT, sort_order=11)
    approval_requested_at: Mapped[datetime | None] = mapped_column(UTCDateTime(), sort_order=12)
    approval_requested_by = _user_reference(13)
    approved_at: Mapped[datetime | None] = mapped_column(UTCDateTime(), sort_order=14)
    approved_by = _user_reference(15)
    rejected_at: Mapped[datetime | None] = mapped_column(UTCDateTime(), sort_order=16)
    rejected_by = _user_reference(17)
    rejection_reason: Mapped[str | None] = mapped_column(String(), sort_order=18)
    revision: Mapped[int] = mapped_column(Integer(), default=1, sort_order=19)
    created_by = _user_reference(20, index=True)
    edited_by = _user_reference(21)
    """Who made the last edit; what four eyes are compared with."""
    created_at: Mapped[datetime] = mapped_column(UTCDateTime(), default=utcnow, sort_order=22)
    updated_at: Mapped[datetime] = mapped_column(UTCDateTime(), default=utcnow, sort_order=23)


@dataclass(frozen=True)
class Approvable:
    """A kind of content whose items are approved before they become public.

    Subclasses say what approval means for their items.
    """

    name: str
    """As the approval calls name it, in the plural: ``news``."""
    label: str
    """As people read it, in the singular: ``News Article``."""
    model: type[Any]
    """A mapped class with the columns of :class:`ApprovableItem`."""
    area: str = ""
    """The area of its permissions; the name where none is given."""

    def __post_init__(self) -> None:
        """Fill in the area."""
        object.__setattr__(self, "area", self.area or self.name)

    @property
    def read_permission(self) -> str:
        """What reading it as staff takes."""
        return f"{self.area}.read"

    @property
    def write_permission(self) -> str:
        """What creating, changing and requesting it takes."""
        return f"{self.area}.write"

    def shown_title(self, item: Any) -> str:
        """The item's title as staff see it."""
        title: str = item.title
        return title

    # Subclasses need all of it.
    def approved(self, session: Session, item: Any, now: datetime) -> None:  # noqa: ARG002
        """Let an approval take effect on an item, in its transaction."""
        item.published = True

    def rejected(self, item: Any) -> None:
        """Let a rejection take effect on an item."""
        item.published = False
