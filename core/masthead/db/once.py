"""What an instance remembers to have seen or done, so that it isn't done again."""

from __future__ import annotations

from sqlalchemy.orm import Mapped, mapped_column

from masthead.db import KEY
from masthead.db.base import Base
from masthead.db.exportable import REPLACED_ON_IMPORT


class OnceMarker(Base):
    """Something that was seen or done.

    Kinds are what was granted when it was first seen, once and for all (``permission``,
    ``content type``), which software made the listings (``listings``), an export that was imported
    (``export``), and that the demo was filled in (``demo``). Each module that writes one has a
    constant for it.
    """

    __tablename__ = "core_seen"
    __table_args__ = {"info": REPLACED_ON_IMPORT}

    kind: Mapped[str] = mapped_column(KEY, primary_key=True)
    name: Mapped[str] = mapped_column(KEY, primary_key=True)
