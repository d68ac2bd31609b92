"""A plugin with rules for public content: descriptions, alternative texts, forbidden words."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy.orm import Session

from masthead import (
    Objection,
    Plugin,
    Publication,
    Setting,
    boolean,
    hookimpl,
    instance_of,
    plain_text,
    words,
)

DESCRIPTION = Setting(
    "masthead.gate.description", boolean, "true", "Whether content needs a description."
)
ALT_TEXTS = Setting(
    "masthead.gate.alt_texts", boolean, "true", "Whether each image needs an alternative text."
)
FORBIDDEN = Setting(
    "masthead.gate.forbidden", words, "", "Words that nothing public has, in any letter case."
)


@hookimpl
def masthead_settings() -> list[Setting[Any]]:
    """Return the rules."""
    return [DESCRIPTION, ALT_TEXTS, FORBIDDEN]


@hookimpl
def masthead_publishing(session: Session, publications: Sequence[Publication]) -> list[Objection]:
    """Return the objections to items that break a rule."""
    settings = instance_of(session).settings
    found = list[Objection]()
    for publication in publications:
        if settings[DESCRIPTION]:
            found += _missing_description(publication)
        if settings[ALT_TEXTS]:
            found += _images_without_text(publication)
        if settings[FORBIDDEN]:
            found += _forbidden_words(publication, settings[FORBIDDEN])
    return found


def _missing_description(publication: Publication) -> Iterator[Objection]:
    if publication.values.get("description", "none") in (None, ""):
        yield Objection(publication, "description", "Write a description of one or two sentences")


def _images_without_text(publication: Publication) -> Iterator[Objection]:
    for image in publication.images:
        # A blank text in HTML marks an image that only decorates.
        if image.alt is None:
            message = f"Describe the image {image.address} for readers who can't see it"
            yield Objection(publication, image.field, message)


def _forbidden_words(publication: Publication, forbidden: tuple[str, ...]) -> Iterator[Objection]:
    pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, forbidden))})\b", re.IGNORECASE)
    # A slug that nobody chose follows the title.
    for path, text in _texts({**publication.values, "slug": None}):
        if match := pattern.search(text):
            yield Objection(publication, path, f"We don't use the word {match[0]!r}")


def _texts(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield each text in a value, without the tags of HTML, and its path."""
    if isinstance(value, str):
        yield path, plain_text(value)
    elif isinstance(value, list):
        for index, member in enumerate(value):
            yield from _texts(member, f"{path}.{index}")
    elif isinstance(value, Mapping):
        for name, member in value.items():
            yield from _texts(member, f"{path}.{name}" if path else name)


plugin = Plugin("gate", hooks=(__name__,))
