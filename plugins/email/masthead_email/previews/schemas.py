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
        "subscriber_id": optional(Int(1)),
        "subject": optional(Line()),
        "html_content": optional(Html(mail=True)),
        "mjml_content": optional(Mjml()),
        "text_content": optional(Str(LONG_TEXT)),
        "html_wrapper": optional(Html(mail=True)),
        "mjml_wrapper": optional(Mjml()),
        "language": optional(LanguageTag()),
    }
)
"""The subscriber to fill in, and texts that aren't saved and replace the stored ones."""
PREVIEW = schema(
    {
        "subject": required(Str()),
        "html": required(PAGE_HTML, nullable=True),
        "text": required(Str(LONG_TEXT)),
        "mistakes": required(ListOf(Str())),
    }
)
