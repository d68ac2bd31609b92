"""Markers of one-time actions, so that an instance doesn't repeat them."""

from __future__ import annotations

from sqlalchemy.orm import Mapped, mapped_column

from masthead.db import KEY
from masthead.db.base import Base
from masthead.db.exportable import REPLACED_ON_IMPORT


class OnceMarker(Base):
    """A one-time action that is done.

    The kinds are: a permission or content type whose default grants were made (``permission``,
    ``content type``), the software version that wrote the listings (``listings``), the form of a
    type's texts in the search index (``search``), the fields of a type that refer to other items
    (``references``), the settings and versions behind public answers (``answers``), an imported
    export (``export``), the demo content (``demo``), and the switch of maintenance
    (``maintenance``), which is no action but needs no table of its own. Each module
    that writes a marker has a constant for its kind.
    """

    __tablename__ = "core_seen"
    __table_args__ = {"info": REPLACED_ON_IMPORT}

    kind: Mapped[str] = mapped_column(KEY, primary_key=True)
    name: Mapped[str] = mapped_column(KEY, primary_key=True)
