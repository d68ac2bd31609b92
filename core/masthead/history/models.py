"""The tables of revisions."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from sqlalchemy import JSON, ForeignKey, Index, Integer, LargeBinary, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from masthead.db import ID, KEY, UTCDateTime
from masthead.db.base import Base
from masthead.db.changed_tables import PRIVATE
from masthead.db.of_items import OF_ITEMS
from masthead.schemas.field_types import Str
from masthead.schemas.schema import ListOf
from masthead.schemas.stored import checked_as

if TYPE_CHECKING:
    from masthead.auth.models import User

LIVE, STAGED = "live", "staged"


class Revision(Base):
    """A state of an item: the one after a save, or after some saves of one person."""

    __tablename__ = "core_revision"

    id: Mapped[int] = mapped_column(ID, primary_key=True)
    kind: Mapped[str] = mapped_column(KEY)
    """The name of the content type or resource."""
    item: Mapped[str] = mapped_column(KEY)
    """The id of the item as text, because some resources have names as ids."""
    number: Mapped[int] = mapped_column(ID)
    """Its number among the revisions of the item, from 1."""
    item_revision: Mapped[int | None] = mapped_column(ID)
    """The item's own revision with these values, which its ``ETag`` shows; None if unknown."""
    copy: Mapped[str] = mapped_column(KEY)
    """``live`` or ``staged``: the copy that the save has changed."""
    began_at: Mapped[datetime] = mapped_column(UTCDateTime())
    """The time of the first save."""
    at: Mapped[datetime] = mapped_column(UTCDateTime())
    """The time of the last save."""
    saves: Mapped[int] = mapped_column(Integer(), default=1)
    """The number of saves; 0 for a state that was found and that no recorded save has made."""
    user_id: Mapped[int | None] = mapped_column(ForeignKey("core_user.id"), index=True)
    client: Mapped[str | None]
    """The name that the program of the last save gave itself."""
    changed: Mapped[list[str]] = mapped_column(JSON, info=checked_as(ListOf(Str())))
    """The names of the fields that the saves have changed."""
    restored_from: Mapped[int | None] = mapped_column(ID)
    """The number of the revision whose values the save has restored."""
    digest: Mapped[str] = mapped_column(KEY)
    """The digest of its values, which are in ``core_revision_value``."""
    approved_at: Mapped[datetime | None] = mapped_column(UTCDateTime())

    user: Mapped[User | None] = relationship("User")

    __table_args__ = (
        UniqueConstraint("kind", "item", "number"),
        Index(None, "kind", "item", "digest"),
        {"sqlite_autoincrement": True, "info": PRIVATE | OF_ITEMS},
    )


class RevisionValue(Base):
    """The values of an item in a state, stored once, whole or as a difference from another one."""

    __tablename__ = "core_revision_value"
    __table_args__ = {"info": PRIVATE | OF_ITEMS}

    kind: Mapped[str] = mapped_column(KEY, primary_key=True)
    item: Mapped[str] = mapped_column(KEY, primary_key=True)
    digest: Mapped[str] = mapped_column(KEY, primary_key=True)
    base: Mapped[str | None] = mapped_column(KEY)
    """The digest of the values that are needed to read these; None if they are whole."""
    place: Mapped[int] = mapped_column(Integer())
    """The place in the chain of differences; 0 for whole values."""
    size: Mapped[int] = mapped_column(ID)
    """The number of bytes before the compression."""
    data: Mapped[bytes] = mapped_column(LargeBinary())


class Approved(Base):
    """The values of an item that somebody with approval power has approved."""

    __tablename__ = "core_approved"
    __table_args__ = {"info": PRIVATE | OF_ITEMS}

    kind: Mapped[str] = mapped_column(KEY, primary_key=True)
    item: Mapped[str] = mapped_column(KEY, primary_key=True)
    digest: Mapped[str | None] = mapped_column(KEY)
    """The digest of the values that the public may see; None before the first ones go live."""
    number: Mapped[int | None] = mapped_column(ID)
    """The number of the revision with them."""
    next_digest: Mapped[str | None] = mapped_column(KEY)
    """The digest of approved edits that wait for their time."""
    next_number: Mapped[int | None] = mapped_column(ID)
