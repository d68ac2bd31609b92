"""The placeholders that a letter may have, and the check of its texts."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from difflib import get_close_matches
from typing import Any, Final

from sqlalchemy import inspect
from sqlalchemy.orm import Session

from masthead import Invalid, Problem, ProblemCode, instance_of
from masthead_email.mjml.letters import written_field
from masthead_email.rendering.link_placeholders import (
    ARCHIVE,
    PREFERENCES,
    UNSUBSCRIBE,
    repair_links,
)
from masthead_email.rendering.placeholders import (
    Parsed,
    names,
    parse_header,
    parse_html,
    parse_plain,
)
from masthead_email.settings import FIELDS

NAME: Final = "name"
EMAIL: Final = "email"
OF_EVERYBODY: Final = (NAME, EMAIL, UNSUBSCRIBE, PREFERENCES)
"""The placeholders that have a value for each recipient."""

_PARSERS = {
    "subject": parse_header,
    "html_content": lambda html: parse_html(repair_links(html)),
    "html_wrapper": lambda html: parse_html(repair_links(html)),
    "text_content": parse_plain,
}
_FAR, _NEAR = 0.5, 0.75
"""The least similarities of a name to the one that is suggested, and to the one that is meant."""


def known_names(session: Session, *others: str) -> tuple[str, ...]:
    """Return the names of placeholders that letters may have.

    :param others: names of this kind of letter.
    """
    return (*OF_EVERYBODY, *others, *instance_of(session).settings[FIELDS])


def check_letter(letter: Any, known: Collection[str], *, free: bool = False) -> None:
    """Refuse the changed texts of a letter that have wrong placeholders.

    Stored texts may be older than this check, so that an unchanged one is accepted.

    :param free: whether other names are allowed, unless they look like misspelt ones.
    :raises Invalid: for the first wrong placeholder.
    """
    attributes = inspect(letter).attrs
    for name in _PARSERS:
        if name in attributes and attributes[name].history.has_changes():
            for mistake in _mistakes(letter, name, known, free=free):
                raise Invalid(str(mistake), mistake)


def mistakes_in(letter: Any, known: Collection[str]) -> list[str]:
    """Return messages about the wrong placeholders of a letter that is sent nevertheless."""
    present = [name for name in _PARSERS if hasattr(letter, name)]
    return [str(each) for name in present for each in _mistakes(letter, name, known, free=False)]


def other_names(letter: Any) -> set[str]:
    """Return the names in a letter's texts that need values of the recipient's fields."""
    html = repair_links(letter.html_content)
    return {*names(letter.subject, html, letter.text_content)} - {*OF_EVERYBODY, ARCHIVE}


def has_unsubscribe_link(html: str | None, text: str | None) -> bool:
    """Whether a letter has a placeholder of a link by which its reader can unsubscribe."""
    return not {UNSUBSCRIBE, PREFERENCES}.isdisjoint(names(repair_links(html or ""), text))


def _mistakes(letter: Any, field: str, known: Collection[str], *, free: bool) -> Iterator[Problem]:
    text = getattr(letter, field)
    parsed = _PARSERS[field](text) if text else Parsed([], [], [])
    field = written_field(letter, field)
    for mistake in parsed.mistakes:
        yield Problem(field, ProblemCode.WRONG_FORM, mistake)
    for name in sorted(parsed.names() - set(known)):
        similar = get_close_matches(name.casefold(), known, 1, _NEAR if free else _FAR)
        if similar:
            message = f"Unknown placeholder {{{{{name}}}}}: did you mean {{{{{similar[0]}}}}}?"
            yield Problem(field, ProblemCode.UNKNOWN_NAME, message)
        elif not free:
            listed = ", ".join(f"{{{{{each}}}}}" for each in known)
            message = f"Unknown placeholder {{{{{name}}}}}; there are {listed}"
            yield Problem(field, ProblemCode.UNKNOWN_NAME, message)
