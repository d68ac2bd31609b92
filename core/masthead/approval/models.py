"""The tables of the requests that wait for an approval, and of the votes for them.

The item itself has the time, the user and the comment of its latest request.
"""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, Integer
from sqlalchemy.orm import Mapped, mapped_column

from masthead.auth.models import User
from masthead.db import KEY, UTCDateTime, utcnow
from masthead.db.base import Base
from masthead.db.changed_tables import PRIVATE
from masthead.db.of_items import OF_ITEMS


class ApprovalRequest(Base):
    """The latest request of an item: its reviewer, and the notifications about its age."""

    __tablename__ = "core_approval_request"
    __table_args__ = {"info": PRIVATE | OF_ITEMS}

    kind: Mapped[str] = mapped_column(KEY, primary_key=True)
    item: Mapped[str] = mapped_column(KEY, primary_key=True)
    """The id of the item as text."""
    reviewer_id: Mapped[int | None] = mapped_column(ForeignKey(User.id), index=True)
    reminded_at: Mapped[datetime | None] = mapped_column(UTCDateTime())
    escalated_at: Mapped[datetime | None] = mapped_column(UTCDateTime())


class ApprovalVote(Base):
    """The approval of one user for the latest request of an item."""

    __tablename__ = "core_approval_vote"
    __table_args__ = {"info": PRIVATE | OF_ITEMS}

    kind: Mapped[str] = mapped_column(KEY, primary_key=True)
    item: Mapped[str] = mapped_column(KEY, primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey(User.id), primary_key=True, index=True)
    revision: Mapped[int] = mapped_column(Integer())
    """The revision that the user has approved; the vote doesn't count for any other."""
    at: Mapped[datetime] = mapped_column(UTCDateTime(), default=utcnow)
    comment: Mapped[str | None]
