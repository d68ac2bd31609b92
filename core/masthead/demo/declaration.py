"""What plugins write the demo with."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import colander
from sqlalchemy.orm import Session

from masthead.auth.caller import Caller


@dataclass
class Demo(ABC):
    """What plugins write the demo with, each its part; values are as a client sends them."""

    session: Session
    """Of the one transaction in which all of it is made."""
    now: datetime
    author: Caller
    """Who writes everything; a disabled user without a password."""
    approver: Caller
    """Who approves it; another one."""
    pictures: dict[str, str] = field(default_factory=dict)
    """Addresses of images by what they show: ``river``, ``garden``, ``workshop``, ``lanterns``,
    ``logo``, ``noor``, ``mateo``, ``salma``. Ask by ``get``: without a plugin that stores images
    there are none."""

    def at(self, days: int, hour: int = 0) -> str:
        """A time so many days after today, at a full hour of UTC, as a client sends it."""
        today = self.now.replace(hour=0, minute=0, second=0, microsecond=0)
        return (today + timedelta(days=days, hours=hour)).isoformat()

    @abstractmethod
    def publish(self, name: str, values: Iterable[Mapping[str, Any]]) -> list[Any]:
        """Make items of a content type, which the approver approves.

        :param name: the content type's.
        :param values: of each item, by wire name; ``tags`` are names instead of ids.
        :returns: the items.
        :raises Invalid: for what a create would refuse.
        """

    @abstractmethod
    def draft(self, name: str, values: Mapping[str, Any]) -> Any:
        """Make a draft of a content type; for one draft of the demo approval is requested.

        :param name: the content type's.
        :param values: by wire name; ``tags`` are names instead of ids.
        :returns: the item.
        :raises Invalid: for what a create would refuse.
        """

    @abstractmethod
    def keep(self, name: str, values: Iterable[Mapping[str, Any]]) -> list[Any]:
        """Make items of a resource; where they need an approval, they are drafts.

        :param name: the resource's.
        :param values: of each item, by wire name.
        :returns: the items.
        :raises Invalid: for what a create would refuse.
        """

    @abstractmethod
    def checked(self, body: colander.SchemaNode, values: Mapping[str, Any]) -> dict[str, Any]:
        """Values as an endpoint with that body would hand them to its view.

        :raises Invalid: where they can't be.
        """
