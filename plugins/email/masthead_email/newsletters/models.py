"""The table of newsletters."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import JSON, Index, text
from sqlalchemy.orm import Mapped, Relationship, foreign, mapped_column, relationship

from masthead import (
    PRIVATE,
    ApprovableItem,
    Bool,
    Choice,
    LanguageTag,
    Line,
    ListOf,
    Str,
    Timestamp,
    User,
    UTCDateTime,
    checked_as,
    field,
)
from masthead_email.base import LONG_TEXT, Base
from masthead_email.letter_fields import html_field, subject_field, text_field
from masthead_email.mjml.compiler import Mjml
from masthead_email.newsletters.segments import FieldValues
from masthead_email.scheduling import DRAFT, STATUSES
from masthead_email.subscribers.models import TOPICS


def _user(column: str) -> Relationship[User | None]:
    """Return the user whose id is in a column of a newsletter, read for a page at once."""
    return relationship(
        User,
        primaryjoin=lambda: foreign(getattr(Newsletter, column)) == User.id,
        viewonly=True,
        lazy="selectin",
    )


class Newsletter(ApprovableItem, Base):
    """A mail to all subscribers."""

    __tablename__ = "email_newsletter"
    __table_args__ = (
        Index(
            "ix_email_newsletter_scheduled",
            "scheduled_send_at",
            sqlite_where=text("status = 'scheduled'"),
            postgresql_where=text("status = 'scheduled'"),
        ),
        {"info": PRIVATE, "sqlite_autoincrement": True},
    )

    title: Mapped[str] = field(
        Line(),
        required=True,
        sort_order=-19,
        help="The title for editors.",
        example="News in March",
    )
    subject: Mapped[str] = subject_field()
    html_content: Mapped[str] = html_field()
    text_content: Mapped[str | None] = text_field()
    language: Mapped[str | None] = field(
        LanguageTag(),
        help="The tag of its language; null for that of the organisation.",
        example="en",
    )
    mjml_content: Mapped[str | None] = field(
        Mjml(), help="The text as MJML, which becomes the HTML."
    )
    public: Mapped[bool] = field(
        Bool(), default=False, help="Whether everybody may read it in the archive, once it is sent."
    )
    audience_topics: Mapped[list[str] | None] = field(
        TOPICS,
        help="Topics of which a recipient has at least one; null for all subscribers.",
        example=["Garden"],
    )
    audience_sources: Mapped[list[str] | None] = field(
        TOPICS, help="The sources of recipients; null for all.", example=["website"]
    )
    audience_languages: Mapped[list[str] | None] = field(
        ListOf(LanguageTag(), max_length=100, unique=True),
        help="The languages of recipients; null for all.",
        example=["en"],
    )
    """The languages of recipients, see ``has_language``; none means all."""
    audience_since: Mapped[datetime | None] = field(
        Timestamp(),
        help="The time since which recipients have been subscribers; null for any time.",
    )
    audience_engaged_since: Mapped[datetime | None] = field(
        Timestamp(), help="The time since which recipients have followed a link; null for all."
    )
    """The time since which recipients were engaged, see ``engaged_since``; None means all."""
    audience_idle_since: Mapped[datetime | None] = field(
        Timestamp(), help="The time since which recipients have followed no link; null for all."
    )
    """The time since which recipients weren't engaged, see ``idle_since``; None means all."""
    audience_fields: Mapped[dict[str, list[str]] | None] = field(
        FieldValues(),
        help="Values of fields by name: a recipient has one of the values of each; null for all.",
        example={"city": ["Bristol"]},
    )
    notes: Mapped[str | None] = field(
        Str(LONG_TEXT), staged=False, help="Remarks of staff, which no recipient sees."
    )
    scheduled_send_at: Mapped[datetime | None] = field(
        Timestamp(), staged=False, help="The time at which it is to be sent; null for none."
    )
    status: Mapped[str] = mapped_column(default=DRAFT, info=checked_as(Choice(*STATUSES)))
    sent_at: Mapped[datetime | None] = mapped_column(UTCDateTime())
    held_at: Mapped[datetime | None] = mapped_column(UTCDateTime())
    """The time at which it was due but not approved, and staff were notified."""
    tracked_links: Mapped[list[str] | None] = mapped_column(
        JSON(none_as_null=True), info=checked_as(ListOf(Str(LONG_TEXT)))
    )
    """The addresses to which the tracked links of its letters lead, by their number."""

    creator = _user("created_by")
    editor = _user("edited_by")
    approval_requested_by_user = _user("approval_requested_by")
    approved_by_user = _user("approved_by")
    rejected_by_user = _user("rejected_by")
