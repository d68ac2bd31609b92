"""The table of the organisation."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy.orm import Mapped, mapped_column

from masthead.db import UTCDateTime, utcnow
from masthead.db.base import Base
from masthead.schemas.field_types import DESCRIPTION, Email, Str, Url
from masthead.schemas.fields import field
from masthead.schemas.html_type import Html
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
            "label": required(Line(), help="The text of the link.", example="Mastodon"),
            "kind": optional(
                Line(40), help="The service, for an icon, such as `mastodon`.", example="mastodon"
            ),
            "url": required(
                Url(mailto=False), help="Its address.", example="https://social.example/@garden"
            ),
        },
        name="SocialLink",
        help="A link to the organisation elsewhere.",
    )
)


class StoredOrganisation(Base):
    """The facts about the organisation that staff have set; a blank one counts as not set."""

    __tablename__ = "core_organisation"
    __area__ = "site"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False, default=ROW_ID)
    name: Mapped[str | None] = field(
        DisplayName(), help="The name of the organisation.", example="Riverside Garden"
    )
    tagline: Mapped[str | None] = field(
        Line(), help="A short line below the name.", example="A garden for everybody"
    )
    description: Mapped[str | None] = field(Str(DESCRIPTION), help="A short text about it.")
    language: Mapped[str | None] = field(
        LanguageTag(), help="The language of its texts.", example="en"
    )
    time_zone: Mapped[str | None] = field(
        TimeZone(), help="The time zone in which it shows times.", example="Europe/Berlin"
    )
    social: Mapped[list[dict[str, Any]]] = field(
        ListOf(_LINK, max_length=MOST_LINKS), default=list, help="Links to it elsewhere."
    )
    """Links to the organisation elsewhere: a label, perhaps a kind such as mastodon, and a URL."""
    email: Mapped[str | None] = field(
        Email(), help="Its e-mail address for visitors.", example="hello@example.org"
    )
    phone: Mapped[str | None] = field(
        Line(), help="Its telephone number for visitors.", example="+49 30 1234567"
    )
    address: Mapped[str | None] = field(Str(DESCRIPTION), help="Its postal address.")
    footer: Mapped[str | None] = field(Html(), help="The text at the end of each page.")
    revision: Mapped[int] = mapped_column(default=1)
    updated_at: Mapped[datetime] = mapped_column(UTCDateTime(), default=utcnow)
