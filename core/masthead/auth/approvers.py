"""The table of the approval configuration, and the select of approvers."""

from __future__ import annotations

from sqlalchemy import ForeignKey, Select, UniqueConstraint, select
from sqlalchemy.orm import Mapped, mapped_column, relationship

from masthead.auth.models import Role, user_roles
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


def approvers(content_type: str) -> Select[int]:
    """Select the ids of the users who may approve a content type."""
    roles = select(Approver.role_id).where(Approver.content_type == content_type)
    return select(user_roles.c.user_id).where(user_roles.c.role_id.in_(roles))
