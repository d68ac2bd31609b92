"""The audit log's table."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import JSON, ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column, relationship

from masthead.db import UTCDateTime, utcnow
from masthead.db.base import Base
from masthead.db.changed_tables import PRIVATE
from masthead.db.exportable import NOT_EXPORTED

if TYPE_CHECKING:
    from masthead.auth.models import User


class AuditEntry(Base):
    """One recorded action, with its actor."""

    __tablename__ = "core_audit"

    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime] = mapped_column(UTCDateTime(), default=utcnow, index=True)
    actor_id: Mapped[int | None] = mapped_column(ForeignKey("core_user.id"), index=True)
    action: Mapped[str]
    content_type: Mapped[str | None]
    content_id: Mapped[int | None]
    detail: Mapped[dict[str, Any]] = mapped_column(JSON)

    actor: Mapped[User | None] = relationship("User")

    __table_args__ = (
        Index(None, "content_type", "content_id", "at"),
        {"sqlite_autoincrement": True, "info": PRIVATE | NOT_EXPORTED},
    )
