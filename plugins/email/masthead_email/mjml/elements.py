"""The elements of MJML: the elements that each may contain, and the ones that contain HTML."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

ROOT: Final = "mjml"
ATTRIBUTES: Final = "mj-attributes"
STYLE: Final = "mj-style"
TEXTS: Final = frozenset(("mj-preview", "mj-title"))
"""The elements that contain plain text."""
OPAQUE: Final = TEXTS | {
    *("mj-accordion-text", "mj-accordion-title", "mj-button", "mj-navbar-link", "mj-raw"),
    *("mj-social-element", "mj-style", "mj-table", "mj-text"),
}
"""The elements whose content isn't MJML: HTML, styles or text."""
REFUSED: Final[Mapping[str, str]] = {
    "mj-include": "mj-include isn't allowed: a letter reads no files; put the content here",
    "mj-html-attributes": "mj-html-attributes isn't supported",
}

_CONTENT = frozenset(
    (
        *("mj-accordion", "mj-button", "mj-divider", "mj-image", "mj-navbar", "mj-raw"),
        *("mj-social", "mj-spacer", "mj-table", "mj-text"),
    )
)
_INSIDE: Final[Mapping[str, frozenset[str]]] = {
    "": frozenset((ROOT,)),
    ROOT: frozenset(("mj-body", "mj-head")),
    "mj-head": TEXTS | {ATTRIBUTES, "mj-breakpoint", "mj-font", "mj-raw", STYLE},
    "mj-body": frozenset(("mj-hero", "mj-raw", "mj-section", "mj-wrapper")),
    "mj-wrapper": frozenset(("mj-hero", "mj-raw", "mj-section")),
    "mj-section": frozenset(("mj-column", "mj-group", "mj-raw")),
    "mj-group": frozenset(("mj-column", "mj-raw")),
    "mj-column": _CONTENT | {"mj-carousel"},
    "mj-hero": _CONTENT,
    "mj-accordion": frozenset(("mj-accordion-element", "mj-raw")),
    "mj-accordion-element": frozenset(("mj-accordion-text", "mj-accordion-title", "mj-raw")),
    "mj-carousel": frozenset(("mj-carousel-image",)),
    "mj-navbar": frozenset(("mj-navbar-link", "mj-raw")),
    "mj-social": frozenset(("mj-raw", "mj-social-element")),
}
_IN_BODY = frozenset().union(*(_INSIDE[name] for name in _INSIDE if name not in ("", ROOT)))
CHILDREN: Final[Mapping[str, frozenset[str]]] = {
    **_INSIDE,
    ATTRIBUTES: _IN_BODY - _INSIDE["mj-head"] | {"mj-all", "mj-body", "mj-class", "mj-raw"},
}
"""The elements that may stand in each element; those without an entry contain none."""
NAMES: Final = frozenset().union(*CHILDREN.values())


def parents_of(name: str) -> list[str]:
    """Return the elements that may contain an element, in alphabetical order."""
    return sorted(parent for parent, inside in CHILDREN.items() if name in inside and parent)
