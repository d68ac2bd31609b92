"""The table of composed e-mails."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Index, text
from sqlalchemy.orm import Mapped, mapped_column

from masthead import (
    PRIVATE,
    Choice,
    Email,
    Line,
    ListOf,
    ResourceItem,
    Timestamp,
    UTCDateTime,
    checked_as,
    field,
)
from masthead_email.base import Base
from masthead_email.letter_fields import html_field, subject_field, text_field
from masthead_email.mjml.compiler import Mjml
from masthead_email.scheduling import DRAFT, STATUSES


class ComposedEmail(ResourceItem, Base):
    """A mail to recipients that its author enters."""

    __tablename__ = "email_composed"
    __table_args__ = (
        Index(
            "ix_email_composed_scheduled",
            "scheduled_send_at",
            sqlite_where=text("status = 'scheduled'"),
            postgresql_where=text("status = 'scheduled'"),
        ),
        {"info": PRIVATE, "sqlite_autoincrement": True},
    )

    title: Mapped[str | None] = field(
        Line(), help="The title for editors.", example="News in March"
    )
    subject: Mapped[str] = subject_field()
    html_content: Mapped[str] = html_field()
    text_content: Mapped[str | None] = text_field()
    mjml_content: Mapped[str | None] = field(
        Mjml(), help="The text as MJML, which becomes the HTML."
    )
    recipient_emails: Mapped[list[str]] = field(
        ListOf(Email(), unique=True),
        required=True,
        help="The addresses of the recipients.",
        example=["ada@example.org"],
    )
    scheduled_send_at: Mapped[datetime | None] = field(
        Timestamp(), help="The time at which it is to be sent; null for none."
    )
    status: Mapped[str] = mapped_column(default=DRAFT, info=checked_as(Choice(*STATUSES)))
    sent_at: Mapped[datetime | None] = mapped_column(UTCDateTime())

    @property
    def language(self) -> str | None:
        """None: it is written in the language of the organisation."""
        return None
