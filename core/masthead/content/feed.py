"""What feeds show of a content type, as a declaration."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from masthead.errors import StartError

_NAME = re.compile(r"([A-Za-z_][\w.-]*):[A-Za-z_][\w.-]*", re.ASCII)
_PREFIX = re.compile(r"[A-Za-z_][\w.-]*", re.ASCII)
_TAKEN = frozenset(("atom", "content", "dc", "xml", "xmlns"))


@dataclass(frozen=True)
class Enclosure:
    """A file that comes with each item of a feed, by the names of the fields that tell of it."""

    url: str
    type: str
    """The media type, such as ``audio/mpeg``."""
    length: str
    """In bytes."""


@dataclass(frozen=True, kw_only=True)
class Feed:
    """How items are shown in a feed, by the names of public fields.

    Title, description, content, tags and author need no word here.
    """

    date: str = "firstPublishedAt"
    """When an item was published; where the field is empty, when the public first saw it."""
    category: str = ""
    image: str = ""
    """A picture, which comes with the item where it is one of ours."""
    enclosure: Enclosure | None = None
    """A file that comes with the item instead of a picture."""
    lead: tuple[str, ...] = ()
    """Times and texts at the head of the text, for readers that know no further elements."""
    elements: Mapping[str, str] = field(default_factory=dict)
    """Fields by the name of a further XML element, as in ``{"ev:startdate": "startDate"}``."""
    namespaces: Mapping[str, str] = field(default_factory=dict)
    """The XML namespaces of these elements, by prefix."""

    def __post_init__(self) -> None:
        """Refuse what would make no XML.

        :raises StartError: naming the element or the prefix.
        """
        if taken := self.namespaces.keys() & _TAKEN:
            raise StartError(f"feed: the prefix {min(taken)} is taken")
        for prefix in self.namespaces:
            if not _PREFIX.fullmatch(prefix):
                raise StartError(f"feed: the prefix {prefix} is none")
        for name in self.elements:
            found = _NAME.fullmatch(name)
            if found is None or found[1] not in self.namespaces:
                raise StartError(f"feed: the element {name} has no prefix that namespaces name")

    @property
    def fields(self) -> tuple[str, ...]:
        """All fields that are named."""
        file = self.enclosure
        names = (self.date, self.category, self.image, *self.lead, *self.elements.values())
        return tuple(filter(None, (*names, *((file.url, file.type, file.length) if file else ()))))
