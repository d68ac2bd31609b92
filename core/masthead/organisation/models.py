"""The table of the organisation."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy.orm import Mapped, mapped_column

from masthead.db import UTCDateTime, utcnow
from masthead.db.base import Base
from masthead.schemas.field_types import DESCRIPTION, Email, Html, Str, Url
from masthead.schemas.fields import field
from masthead.schemas.language_tags import LanguageTag
from masthead.schemas.schema import ListOf, Object, optional, required, schema
from masthead.schemas.text_types import DisplayName, Line
from masthead.schemas.time_zones import TimeZone

ROW_ID = 1
"""The id of the one row."""
MOST_LINKS = 50
_LINK = Object(
    schema(
        {
            "label": required(Line()),
            "kind": optional(Line(40)),
            "url": required(Url(mailto=False)),
        }
    )
)


class StoredOrganisation(Base):
    """The facts about the organisation that staff have set; a blank one counts as not set."""

    __tablename__ = "core_organisation"
    __area__ = "site"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False, default=ROW_ID)
    name: Mapped[str | None] = field(DisplayName())
    tagline: Mapped[str | None] = field(Line())
    description: Mapped[str | None] = field(Str(DESCRIPTION))
    language: Mapped[str | None] = field(LanguageTag())
    time_zone: Mapped[str | None] = field(TimeZone())
    social: Mapped[list[dict[str, Any]]] = field(ListOf(_LINK, max_length=MOST_LINKS), default=list)
    """Links to the organisation elsewhere: a label, perhaps a kind such as mastodon, and a URL."""
    email: Mapped[str | None] = field(Email())
    phone: Mapped[str | None] = field(Line())
    address: Mapped[str | None] = field(Str(DESCRIPTION))
    footer: Mapped[str | None] = field(Html())
    revision: Mapped[int] = mapped_column(default=1)
    updated_at: Mapped[datetime] = mapped_column(UTCDateTime(), default=utcnow)
