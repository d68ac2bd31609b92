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

    name: Mapped[str] = field(DisplayName(), required=True, help="The name.", example="Invitation")
    subject: Mapped[str] = field(
        Line(),
        required=True,
        help="The subject, with placeholders such as `{{name}}`.",
        example="News in March",
    )
    html_content: Mapped[str] = field(
        Html(mail=True),
        required=True,
        default="",
        help="The text as HTML, with placeholders such as `{{name}}`.",
        example="<p>Dear {{name|friend}}</p>",
    )
    text_content: Mapped[str | None] = field(
        Str(LONG_TEXT), help="The text without HTML; by default it is made from the HTML."
    )
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
