"""The approval configuration's table."""

from __future__ import annotations

from sqlalchemy import ForeignKey, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from masthead.auth.models import Role
from masthead.db import KEY
from masthead.db.base import Base
from masthead.db.exportable import REPLACED_ON_IMPORT


class Approver(Base):
    """One row of the approval configuration: a role that may approve a content type."""

    __tablename__ = "core_approver"

    id: Mapped[int] = mapped_column(primary_key=True)
    content_type: Mapped[str] = mapped_column(KEY)
    role_id: Mapped[int] = mapped_column(ForeignKey(Role.id, ondelete="CASCADE"), index=True)

    role: Mapped[Role] = relationship(Role)

    __table_args__ = (
        UniqueConstraint("content_type", "role_id"),
        {"sqlite_autoincrement": True, "info": REPLACED_ON_IMPORT},
    )
