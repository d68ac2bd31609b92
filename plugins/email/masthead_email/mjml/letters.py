"""Letters that may be written in MJML instead of HTML."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from sqlalchemy import inspect
from sqlalchemy.orm import Session

from masthead import ItemSave, ProblemCode, wrong_field
from masthead_email.mjml.compiler import MISSING, Compiled

SOURCES: Final[Mapping[str, str]] = {"html_content": "mjml_content", "html_wrapper": "mjml_wrapper"}
"""The fields with the MJML of letters, by the fields with their HTML."""


def check_content(_session: Session, save: ItemSave) -> None:
    """Refuse a letter without HTML and MJML.

    :raises Invalid: if it has neither.
    """
    if not save.after["html_content"] and not save.after["mjml_content"]:
        raise wrong_field("html_content", ProblemCode.REQUIRED, "Required")


def compile_letter(letter: Any) -> None:
    """Set the HTML of a letter whose MJML has changed.

    HTML that changes alone ends the use of MJML, because the two would differ.

    :raises Invalid: if the compiler isn't installed.
    """
    attributes = inspect(letter).attrs
    for html, source in SOURCES.items():
        mjml = getattr(letter, source, None)
        if mjml is None:
            continue
        if attributes[source].history.has_changes():
            if not isinstance(mjml, Compiled) or mjml.html is None:
                raise wrong_field(source, ProblemCode.NOT_ALLOWED, MISSING)
            setattr(letter, html, mjml.html)
        elif attributes[html].history.has_changes():
            setattr(letter, source, None)


def written_field(letter: Any, name: str) -> str:
    """Return the field in which the author has written a text: its own, or the one with MJML."""
    source = SOURCES.get(name)
    return source if source and getattr(letter, source, None) else name
