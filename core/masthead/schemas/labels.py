"""The names that follow from the label of a content type or resource: its plural, its types."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Protocol, runtime_checkable

from masthead.db.spelling import spell_in_ascii
from masthead.errors import StartError

_WORD = re.compile(r"[A-Za-z0-9]+")
_SIBILANT = re.compile(r"(?:s|x|z|ch|sh)$")
_CONSONANT_Y = re.compile(r"(?<![aeiou])y$")
_ROLES = (
    "",
    "Parts",
    "Summary",
    "SummaryParts",
    "Related",
    "Staff",
    "StaffSummary",
    "Create",
    "Update",
)


@runtime_checkable
class Labelled(Protocol):
    """A declaration with a label."""

    @property
    def name(self) -> str:
        """Its name in addresses."""

    @property
    def label(self) -> str:
        """Its name for readers, in the singular."""

    @property
    def plural(self) -> str:
        """Its name for readers, in the plural; blank for one that follows from the label."""


def plural_of(it: Labelled) -> str:
    """Return the label in the plural: ``Follow-up rules``."""
    return it.plural or _plural(it.label)


def singular_of(plural: str) -> str:
    """Return the label from which a plural follows; the plural itself if there is none."""
    possible = (f"{plural[:-3]}y", plural[:-2], plural[:-1])
    return next((label for label in possible if _plural(label) == plural), plural)


def _plural(label: str) -> str:
    if _CONSONANT_Y.search(label):
        return f"{label[:-1]}ies"
    return f"{label}es" if _SIBILANT.search(label) else f"{label}s"


def noun(text: str) -> str:
    """Return a label as it stands within a sentence: ``news article``, ``FAQ entry``."""
    return " ".join(w.lower() if w[:1] + w[1:].lower() == w else w for w in text.split(" "))


def one(it: Labelled) -> str:
    """Return the label with an article: ``an action``."""
    word = noun(it.label)
    return f"{'an' if word[:1] in 'aeiou' else 'a'} {word}"


def sentence(text: str) -> str:
    """Return a text that begins with a capital and ends with a full stop."""
    return f"{text[:1].upper()}{text[1:]}."


def many(it: Labelled) -> str:
    """Return the plural as it stands within a sentence: ``follow-up rules``."""
    return noun(plural_of(it))


def type_name(it: Labelled, role: str = "") -> str:
    """Return the name of a schema: ``NewsArticle`` for one without a role, ``NewsArticleUpdate``.

    :param role: the use of the schema, such as ``Update``.
    """
    return (pascal_case(it.label) or pascal_case(it.name)) + role


def check_type_names(declared: Iterable[Labelled]) -> None:
    """Refuse labels of content types and resources whose schemas would have the same name.

    :raises StartError: for the first two of them.
    """
    owners: dict[str, str] = {}
    for it in declared:
        for name in (type_name(it, role) for role in _ROLES):
            if owners.setdefault(name, it.name) != it.name:
                raise StartError(
                    f"{owners[name]} and {it.name}: their labels lead to the same name of a schema,"
                    f" {name}; change one of the labels"
                )


def pascal_case(text: str) -> str:
    """Return a text as the name of a type: ``FollowUpRule`` for ``Follow-up rule``."""
    words = _WORD.findall(re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", spell_in_ascii(text)))
    return "".join(word[:1].upper() + word[1:] for word in words)
