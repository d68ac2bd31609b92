"""A gate that records all publications and can be closed."""

from __future__ import annotations

from collections.abc import Sequence

from masthead import Objection, Publication, PublicationWay, hookimpl

REASON = "Closed today"


class Gate:
    """Objects to every publication while it is closed."""

    def __init__(self) -> None:
        self.open()

    def open(self) -> None:
        self.is_closed, self.asked = False, list[Publication]()

    def close(self) -> None:
        self.is_closed, self.asked = True, []

    @property
    def ways(self) -> set[PublicationWay]:
        return {each.way for each in self.asked}

    @hookimpl
    def masthead_publishing(self, publications: Sequence[Publication]) -> list[Objection]:
        self.asked += publications
        return [Objection(each, "title", REASON) for each in publications] * self.is_closed
