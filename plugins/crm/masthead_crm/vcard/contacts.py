"""The values of a contact that a vCard has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from masthead import is_blank
from masthead_crm.columns import join_tags
from masthead_crm.vcard.reading import Card, Property

COLUMNS = ("name", "email", "phone", "status", "tags", "notes")
"""The names of the values."""
STATUS = "X-MASTHEAD-STATUS"
"""The property with the status of a contact."""
GROUP = "Is a group, no contact"
_KINDS = ("KIND", "X-ADDRESSBOOKSERVER-KIND")
_LABEL = "X-ABLABEL"
_APPLE_LABEL = ("_$!<", ">!$_")
"""The marks around a label that Apple's programs translate."""
_SYSTEM_GROUP = "mycontacts"
"""The group that Google adds to each contact."""
_LABELS = ("HOME", "WORK", "CELL", "MOBILE", "FAX", "PAGER", "OTHER")
"""Types that tell readers the purpose of a further address or number."""
_FILES = ("KEY", "LOGO", "PHOTO", "SOUND")
_FACTS = ("ADR", "ANNIVERSARY", "BDAY", "GENDER", "GEO", "IMPP", "LABEL", "LANG", "MEMBER")
_UNUSED = frozenset((*_FILES, *_FACTS, "RELATED", "ROLE", "TZ", "URL"))
"""Properties about the person that contacts don't have."""


def contact_values(card: Card) -> tuple[str, ...]:
    """Return the texts of the values in the order of ``COLUMNS``; blank ones are missing."""
    emails = _distinct(card, "EMAIL", "mailto:")
    phones = _distinct(card, "TEL", "tel:")
    phones.sort(key=lambda each: "FAX" in each[0].types)
    name, organization = _name(card), _organization(card)
    notes = [each.text for each in card.all("NOTE")]
    notes += [f"organization: {organization}"] if organization not in ("", name) else []
    notes += [f"title: {each.text}" for each in card.all("TITLE") if each.text]
    for kind, found in (("email", emails), ("phone", phones)):
        notes += [f"{kind}{_label(card, each)}: {text}" for each, text in found[1:]]
    tags = [tag for each in card.all("CATEGORIES") for tag in each.split(",")]
    return (
        name,
        emails[0][1] if emails else "",
        phones[0][1] if phones else "",
        next((each.text for each in card.all(STATUS)), ""),
        join_tags(tag for tag in tags if not is_blank(tag) and tag.lower() != _SYSTEM_GROUP),
        "\n".join(note for note in notes if note),
    )


def is_group(card: Card) -> bool:
    """Whether a vCard is a group of others."""
    return any(each.text.lower() == "group" for kind in _KINDS for each in card.all(kind))


def unused_names(card: Card) -> set[str]:
    """Return the names of the properties about the person that contacts don't have."""
    return {each.name for each in card.properties if each.value.strip()} & _UNUSED


def _name(card: Card) -> str:
    """Return the name: as it is shown, else from its parts, else that of the organisation."""
    for shown in card.all("FN"):
        if shown.text:
            return shown.text
    for structured in card.all("N"):
        family, given, more, prefix, suffix = (*structured.split(";"), *[""] * 5)[:5]
        parts = (prefix, given, more, family, suffix)
        if name := " ".join(part for part in parts if part):
            return name
    names = [each.text for each in card.all("NICKNAME") if each.text]
    return _organization(card) or next(iter(names), "")


def _organization(card: Card) -> str:
    """Return the name of the organisation with its units."""
    for found in card.all("ORG"):
        if name := ", ".join(part for part in found.split(";") if part):
            return name
    return ""


def _distinct(card: Card, name: str, scheme: str) -> list[tuple[Property, str]]:
    """Return the addresses or numbers of a vCard, each once, without the scheme of a URI."""
    found: dict[str, tuple[Property, str]] = {}
    for each in card.all(name):
        text = each.text
        if text.lower().startswith(scheme):
            text = text[len(scheme) :]
        if text:
            found.setdefault(text.lower(), (each, text))
    return list(found.values())


def _label(card: Card, found: Property) -> str:
    """Return the label of an address or number for readers, in brackets after a blank."""
    labels: Iterable[str] = (each.title() for each in _LABELS if each in found.types)
    label = next(iter(_group_labels(card, found.group)), "") or next(iter(labels), "")
    return f" ({label})" if label else ""


def _group_labels(card: Card, group: str) -> Iterator[str]:
    start, end = _APPLE_LABEL
    for each in card.all(_LABEL):
        if group and each.group == group:
            yield each.text.removeprefix(start).removesuffix(end)
