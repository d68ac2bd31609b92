"""The body and the answer of a preview."""

from __future__ import annotations

from masthead import (
    Html,
    Int,
    LanguageTag,
    Line,
    ListOf,
    Str,
    optional,
    required,
    schema,
)
from masthead_email.base import LONG_TEXT
from masthead_email.mjml.compiler import Mjml
from masthead_email.newsletters.schemas import PAGE_HTML

CHANGES = schema(
    {
        "subscriber_id": optional(
            Int(1), help="The id of the subscriber whose values fill the placeholders."
        ),
        "subject": optional(Line(), help="The subject.", example="News in March"),
        "html_content": optional(Html(mail=True), help="The content as HTML."),
        "mjml_content": optional(Mjml(), help="The content as MJML."),
        "text_content": optional(Str(LONG_TEXT), help="The content as plain text."),
        "html_wrapper": optional(Html(mail=True), help="The HTML around the content."),
        "mjml_wrapper": optional(Mjml(), help="The MJML around the content."),
        "language": optional(LanguageTag(), help="The language of the letter.", example="en"),
    },
    name="PreviewOptions",
    help="Texts that aren't saved, instead of the stored ones, and the reader.",
)
"""The subscriber to fill in, and texts that aren't saved and replace the stored ones."""
PREVIEW = schema(
    {
        "subject": required(Str(), help="The subject.", example="News in March"),
        "html": required(PAGE_HTML, nullable=True, help="The part as HTML; null for none."),
        "text": required(Str(LONG_TEXT), help="The part as plain text."),
        "mistakes": required(ListOf(Str()), help="The mistakes that prevent the sending."),
    },
    name="Preview",
    help="A letter as its reader gets it.",
)
