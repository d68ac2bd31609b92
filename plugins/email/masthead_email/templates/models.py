"""The table of templates."""

from __future__ import annotations

from sqlalchemy.orm import Mapped, mapped_column

from masthead import PRIVATE, DisplayName, Html, Line, ResourceItem, field
from masthead_email.base import Base
from masthead_email.letter_fields import html_field, subject_field, text_field
from masthead_email.mjml.compiler import Mjml

VARIABLES_LENGTH = 2_000
"""The maximum length of the variables, in characters."""


class Template(ResourceItem, Base):
    """A template of a mail, with placeholders."""

    __tablename__ = "email_template"
    __table_args__ = {"info": PRIVATE, "sqlite_autoincrement": True}

    name: Mapped[str] = field(DisplayName(), required=True, help="The name.", example="Invitation")
    subject: Mapped[str] = subject_field()
    html_content: Mapped[str] = html_field()
    text_content: Mapped[str | None] = text_field()
    mjml_content: Mapped[str | None] = field(
        Mjml(), help="The text as MJML, which becomes the HTML."
    )
    category: Mapped[str | None] = field(
        Line(), help="The use, such as newsletter or invite.", example="invite"
    )
    variables: Mapped[str | None] = field(
        Line(VARIABLES_LENGTH),
        help="The names of the placeholders, separated by commas; by default those in the texts.",
        example="name",
    )
    html_wrapper: Mapped[str | None] = field(
        Html(mail=True),
        help="HTML around the text, which replaces its placeholder `{{content}}`.",
        example="<div>{{content}}</div>",
    )
    mjml_wrapper: Mapped[str | None] = field(Mjml(), help="The MJML that becomes the wrapper.")
    derived: Mapped[str | None] = mapped_column()
    """The variables as last derived from the texts."""
