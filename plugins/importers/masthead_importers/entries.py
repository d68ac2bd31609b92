"""The items of an export, in the form that all formats have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from masthead import ForeignAuthor
from masthead_importers.report import Report

POST, PAGE, EVENT = "post", "page", "event"
"""The kinds of entries."""


@dataclass
class Entry:
    """An item of an export."""

    kind: str
    """``POST``, ``PAGE`` or ``EVENT``."""
    id: str
    """The id in the other system, unique among the items of its kind."""
    title: str
    """May contain markup."""
    source: Any = ""
    """The content as the format has it, for ``Export.html``."""
    slug: str = ""
    description: str = ""
    """May contain markup."""
    date: str = ""
    """The time of its publishing in ISO 8601; blank if it has none."""
    public: bool = True
    """Whether everybody could read it."""
    scheduled: bool = False
    """Whether it was going to be published at ``date``."""
    category: str = ""
    tags: list[str] = field(default_factory=list)
    author: str = ""
    """The key of the author; blank if it is unknown."""
    image: str = ""
    """The address of its picture."""
    address: str = ""
    """The address at which the other system shows it."""
    further_addresses: tuple[str, ...] = ()
    values: dict[str, Any] = field(default_factory=dict)
    """Further values by wire name."""

    def __str__(self) -> str:
        """Return a name for messages."""
        return f"{self.kind} {self.id} {self.title[:60]!r}"

    @property
    def key(self) -> str:
        """The id under which the import remembers it."""
        return f"{self.kind}:{self.id}"

    @property
    def addresses(self) -> tuple[str, ...]:
        """All addresses that lead to it."""
        return tuple(filter(None, (self.address, *self.further_addresses)))


class Export(ABC):
    """An export of another system, which is read several times."""

    format: str
    """The name of the format."""
    media_markers: tuple[str, ...] = ()
    """The paths below which the other system keeps its images."""

    def __init__(self) -> None:
        self.home = ""
        """The address of the other system's home page, without a slash at the end; blank until it
        is known."""
        self.authors: dict[str, ForeignAuthor] = {}
        """The authors by key; complete after the entries were read once."""

    @abstractmethod
    def entries(self, report: Report) -> Iterator[Entry]:
        """Read all items, and report those that are left out.

        :raises Invalid: for a file that is damaged or has another format.
        """

    @abstractmethod
    def html(self, entry: Entry, report: Report) -> str:
        """Return the content of an item as plain HTML, which needn't be safe.

        The entries must have been read once.
        """

    def alt_text(self, address: str) -> str | None:  # noqa: ARG002 - most formats know none
        """Return the alternative text of an image that the export knows."""
        return None
