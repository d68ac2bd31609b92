"""Records of other features, each of which names the permission that reading it needs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, TypeVar

from masthead.auth.caller import Caller


class Restricted(Protocol):
    """A record that names the permission that reading it needs."""

    @property
    def permission(self) -> str:
        """The name of a declared permission."""


Record = TypeVar("Record", bound=Restricted)


def split_by_permission(
    records: Iterable[Record], caller: Caller | None
) -> tuple[list[Record], list[Record]]:
    """Return the records that a caller may read, and the others.

    :param caller: the user who asks; None for the command line, which may read everything.
    """
    readable: list[Record] = []
    withheld: list[Record] = []
    for record in records:
        allowed = caller is None or caller.may(record.permission)
        (readable if allowed else withheld).append(record)
    return readable, withheld
