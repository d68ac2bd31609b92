"""The table of items whose row in the search index is outdated."""

from __future__ import annotations

from sqlalchemy.orm import Mapped, mapped_column

from masthead.db import ID, KEY
from masthead.db.base import Base
from masthead.db.changed_tables import PRIVATE
from masthead.db.exportable import NOT_EXPORTED


class OutdatedItem(Base):
    """An item that has to be indexed again, which a job does."""

    __tablename__ = "core_search_outdated"
    __table_args__ = {"info": PRIVATE | NOT_EXPORTED}

    content_type: Mapped[str] = mapped_column(KEY, primary_key=True)
    item_id: Mapped[int] = mapped_column(ID, primary_key=True, autoincrement=False)
