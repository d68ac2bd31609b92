"""The columns that the model of every content type has: a mixin."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from sqlalchemy import JSON, FromClause, Text
from sqlalchemy.orm import Mapped, mapped_column, validates

from masthead.approval.declaration import ApprovableItem
from masthead.content.visibility import vanishing_time
from masthead.db import UTCDateTime, utcnow
from masthead.db.exportable import import_default
from masthead.schemas.field_types import DESCRIPTION, Str, Timestamp
from masthead.schemas.fields import field
from masthead.schemas.html_type import Html
from masthead.schemas.language_tags import DIRECTION, LANG_HELP, LanguageTag, text_direction
from masthead.schemas.slugs import SLUG_HELP, Slug
from masthead.schemas.stored import SLUG, checked_as
from masthead.schemas.text_types import Line


class ContentItem(ApprovableItem):
    """A mixin with the columns of every content type's model."""

    __kit__ = "content"
    if TYPE_CHECKING:
        __table__: ClassVar[FromClause]

    title: Mapped[str] = field(
        Line(), required=True, help="Its title, in one line.", example="An example", sort_order=-19
    )
    slug: Mapped[str | None] = field(
        Slug(),
        unique=True,
        help=SLUG_HELP,
        example="open-again",
        sort_order=-18,
        info=checked_as(SLUG),
    )
    description: Mapped[str | None] = field(
        Str(DESCRIPTION), help="A short text for lists and previews.", sort_order=-17
    )
    lang: Mapped[str | None] = field(
        LanguageTag(),
        help=LANG_HELP,
        example="de",
        sort_order=-16,
    )
    dir: Mapped[str | None] = mapped_column(Text(), sort_order=-15, info=checked_as(DIRECTION))
    """The direction of the language's script; None if ``lang`` is."""
    first_published_at: Mapped[datetime | None] = mapped_column(UTCDateTime(), sort_order=24)
    changed_at: Mapped[datetime] = mapped_column(UTCDateTime(), default=utcnow, sort_order=25)
    """The time of the last publishing, unpublishing or live change of the item itself. Renaming its
    author or a tag, or deleting a tag, doesn't count."""
    scheduled_publish_at: Mapped[datetime | None] = field(
        Timestamp(),
        public=False,
        help="The time from which the public sees it, or at which a staged edit goes live.",
        index=True,
        sort_order=-2,
    )
    scheduled_unpublish_at: Mapped[datetime | None] = field(
        Timestamp(),
        public=False,
        help="The time from which the public no longer sees it; null for none.",
        sort_order=-1,
    )
    listed: Mapped[str | None] = mapped_column(
        Text(), deferred=True, sort_order=39, info=import_default(None)
    )
    """The list JSON: the item as public lists show it; see ``masthead.content.list_json``."""
    # Last, so that reading the other columns of a row doesn't pass over long texts.
    content: Mapped[str | None] = field(
        Html(), listed=False, help="The text itself, as HTML.", sort_order=40
    )
    staged: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True), sort_order=41)
    """The edited fields of a published item by wire name, until they are approved."""

    @property
    def vanishes_at(self) -> datetime | None:
        """The time at which the item vanishes from lists by itself; None if it never does."""
        return vanishing_time(self.__table__, partial(getattr, self))

    @validates("lang")
    def _set_dir(self, _attribute: str, lang: str | None) -> str | None:
        self.dir = lang and text_direction(lang)
        return lang
