"""What makes a kind of content approvable: a declaration, and the columns of its model."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index
from sqlalchemy.orm import Mapped, declared_attr, mapped_column

from masthead.auth.models import User
from masthead.db import UTCDateTime, utcnow

DRAFT, PENDING, APPROVED, REJECTED = "draft", "pending", "approved", "rejected"
STATUSES = (DRAFT, PENDING, APPROVED, REJECTED)


def _user_reference() -> Mapped[int | None]:
    return mapped_column(ForeignKey(User.id), index=True)


class ApprovableItem:
    """The columns of an item that goes through the approval workflow."""

    id: Mapped[int] = mapped_column(primary_key=True, sort_order=-10)
    title: Mapped[str] = mapped_column(sort_order=-9)
    approval_status: Mapped[str] = mapped_column(default=DRAFT)
    approval_requested_at: Mapped[datetime | None] = mapped_column(UTCDateTime())
    approved_at: Mapped[datetime | None] = mapped_column(UTCDateTime())
    rejected_at: Mapped[datetime | None] = mapped_column(UTCDateTime())
    rejection_reason: Mapped[str | None]
    revision: Mapped[int] = mapped_column(default=1)
    created_at: Mapped[datetime] = mapped_column(UTCDateTime(), default=utcnow)
    updated_at: Mapped[datetime] = mapped_column(UTCDateTime(), default=utcnow)
