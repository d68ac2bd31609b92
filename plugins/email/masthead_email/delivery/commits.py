"""A transaction of the dispatcher: its results, the deliveries that start next, and its outcome."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import dataclass

from masthead_email.delivery.brake import Trip
from masthead_email.delivery.connection_pool import DeliveryChannel
from masthead_email.delivery.store import Claimed
from masthead_email.results import Envelope, Result


@dataclass(frozen=True)
class Assignment:
    """A delivery to start on a channel, once it is committed as sending."""

    channel: DeliveryChannel
    claimed: Claimed
    envelope: Envelope | str
    """The envelope, or the reason why it can't be built."""


@dataclass(frozen=True)
class Written:
    """The outcome of a transaction."""

    allowed: set[int]
    """The ids of deliveries that may start."""
    claimed: list[Claimed] | None
    """None without a claim."""
    trips: list[Trip]


@dataclass(frozen=True)
class Commit:
    """A transaction in progress, and the channels that wait for it."""

    ready: list[DeliveryChannel]
    done: list[Result]
    assignments: list[Assignment]
    started_at: float
    written: Future[Written]

    @property
    def waiting_ids(self) -> set[int]:
        """The object ids of the channels that wait for it."""
        return {id(each) for each in (*self.ready, *(each.channel for each in self.assignments))}
