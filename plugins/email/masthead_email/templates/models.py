"""The table of templates."""

from __future__ import annotations

from sqlalchemy.orm import Mapped, mapped_column

from masthead import PRIVATE, DisplayName, Html, Line, ResourceItem, Str, field
from masthead_email.base import LONG_TEXT, Base
from masthead_email.mjml.compiler import Mjml

VARIABLES_LENGTH = 2_000
"""The maximum length of the variables, in characters."""


class Template(ResourceItem, Base):
    """A template of a mail, with placeholders."""

    __tablename__ = "email_template"
    __table_args__ = {"info": PRIVATE, "sqlite_autoincrement": True}

    name: Mapped[str] = field(DisplayName(), required=True)
    subject: Mapped[str] = field(Line(), required=True)
    html_content: Mapped[str] = field(Html(mail=True), required=True, default="")
    text_content: Mapped[str | None] = field(Str(LONG_TEXT))
    mjml_content: Mapped[str | None] = field(Mjml())
    """The MJML that became the HTML."""
    category: Mapped[str | None] = field(Line())
    variables: Mapped[str | None] = field(Line(VARIABLES_LENGTH))
    """The names of the placeholders, separated by commas."""
    html_wrapper: Mapped[str | None] = field(Html(mail=True))
    """HTML around the content, which replaces its placeholder ``{{content}}``."""
    mjml_wrapper: Mapped[str | None] = field(Mjml())
    """The MJML that became the wrapper."""
    derived: Mapped[str | None] = mapped_column()
    """The variables as last derived from the texts."""
