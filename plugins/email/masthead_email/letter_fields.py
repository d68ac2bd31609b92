"""The fields that newsletters, composed e-mails and templates have in common."""

from __future__ import annotations

from typing import Any

from sqlalchemy.orm import MappedColumn

from masthead import Html, Line, Str, field
from masthead_email.base import LONG_TEXT


def subject_field() -> MappedColumn[Any]:
    """Declare the subject of a letter."""
    return field(
        Line(),
        required=True,
        help="The subject, with placeholders such as `{{name}}`.",
        example="News in March",
    )


def html_field() -> MappedColumn[Any]:
    """Declare the text of a letter as HTML."""
    return field(
        Html(mail=True),
        required=True,
        default="",
        help="The text as HTML, with placeholders such as `{{name}}`.",
        example="<p>Dear {{name|friend}}</p>",
    )


def text_field() -> MappedColumn[Any]:
    """Declare the text of a letter without HTML."""
    return field(Str(LONG_TEXT), help="The text without HTML; by default it is made from the HTML.")
