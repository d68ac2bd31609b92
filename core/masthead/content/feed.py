"""The declaration of a content type's feeds."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from masthead.errors import StartError
from masthead.settings import Setting

_NAME = re.compile(r"([A-Za-z_][\w.-]*):[A-Za-z_][\w.-]*", re.ASCII)
_PREFIX = re.compile(r"[A-Za-z_][\w.-]*", re.ASCII)
FIRST_PUBLISHED = "firstPublishedAt"
_TAKEN = frozenset(("atom", "content", "dc", "xml", "xmlns"))


@dataclass(frozen=True)
class Enclosure:
    """A file attached to each item of a feed, given by the names of its fields."""

    url: str
    type: str
    """The media type, such as ``audio/mpeg``."""
    length: str
    """The size in bytes."""


@dataclass(frozen=True, kw_only=True)
class Feed:
    """The form of items in a feed, given by the names of public fields.

    Title, description, content, tags and author are shown without being named here.
    """

    date: str = FIRST_PUBLISHED
    """The time of an item's publication. The feed shows the time when the public first saw the item
    if the field is empty, and as long as it lies ahead. Unless the lists are ordered by the field,
    give its column an index."""
    category: str = ""
    image: str = ""
    """An image, which is attached to the item if this instance stores it."""
    enclosure: Enclosure | None = None
    """A file that is attached to the item instead of an image."""
    lead: tuple[str, ...] = ()
    """Times and texts shown before the content, for readers that ignore further elements. The first
    time is the start of a span, and the second one its end."""
    whole_days: Setting[bool] | None = None
    """The setting that says whether a span between midnights in UTC lasts whole days, and is shown
    without times; None for never."""
    elements: Mapping[str, str] = field(default_factory=dict)
    """The fields of further XML elements, by element: ``{"ev:startdate": "startDate"}``."""
    namespaces: Mapping[str, str] = field(default_factory=dict)
    """The XML namespaces of ``elements``, by prefix."""

    def __post_init__(self) -> None:
        """Refuse prefixes and elements that are no valid XML.

        :raises StartError: naming the element or the prefix.
        """
        if taken := self.namespaces.keys() & _TAKEN:
            raise StartError(f"feed: the prefix {min(taken)} is reserved")
        for prefix in self.namespaces:
            if not _PREFIX.fullmatch(prefix):
                raise StartError(f"feed: the prefix {prefix} is no XML name")
        for name in self.elements:
            found = _NAME.fullmatch(name)
            if found is None or found[1] not in self.namespaces:
                raise StartError(f"feed: the element {name} has no prefix from namespaces")

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields that the declaration names."""
        file = self.enclosure
        names = (self.date, self.category, self.image, *self.lead, *self.elements.values())
        return tuple(filter(None, (*names, *((file.url, file.type, file.length) if file else ()))))
