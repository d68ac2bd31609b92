"""The table of calls that are to be made."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from masthead import ID, NOT_EXPORTED, PRIVATE, UTCDateTime, plugin_metadata


class Base(DeclarativeBase):
    """The base of this plugin's models."""

    metadata = plugin_metadata("webhook")


class Call(Base):
    """A call that is to be made; the public doesn't see it, and an export leaves it out."""

    __tablename__ = "webhook_call"
    __table_args__ = {"sqlite_autoincrement": True, "info": PRIVATE | NOT_EXPORTED}

    id: Mapped[int] = mapped_column(ID, primary_key=True)
    body: Mapped[dict[str, Any]] = mapped_column(JSON())
    failures: Mapped[int] = mapped_column(default=0)
    due_at: Mapped[datetime] = mapped_column(UTCDateTime(), index=True)
