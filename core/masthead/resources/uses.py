"""Refusing to delete what is in use, with a list of its uses."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Protocol

from sqlalchemy.orm import Session

from masthead.auth.caller import Caller
from masthead.auth.restricted import split_by_permission
from masthead.errors import Refused
from masthead.instance import instance_of

_MAX_SHOWN = 10


class Use(Protocol):
    """A use of an item or an image."""

    @property
    def kind(self) -> str: ...
    @property
    def id(self) -> int | str: ...
    @property
    def title(self) -> str: ...
    @property
    def permission(self) -> str: ...


def refuse_used(
    session: Session, kind: str, label: str, ids: Sequence[int | str], caller: Caller | None
) -> None:
    """Refuse to delete items that other features use.

    :param kind: the name of their resource.
    :param label: their name for readers.
    :raises Refused: with the uses.
    """
    hooks = instance_of(session).hooks
    uses = list(chain.from_iterable(hooks.masthead_uses(session=session, kind=kind, ids=ids)))
    if uses:
        raise Refused(f"{label} is used: {describe_uses(uses, caller)}")


def describe_uses(uses: Sequence[Use], caller: Caller | None) -> str:
    """Name the uses that the caller may read, and count the others."""
    readable, withheld = split_by_permission(uses, caller)
    shown = [f"{use.kind} {use.id}" + (f" ({use.title})" if use.title else "") for use in readable]
    rest = len(shown) - _MAX_SHOWN
    named = ", ".join(shown[:_MAX_SHOWN]) + (f" and {rest} more" if rest > 0 else "")
    times = "once" if len(withheld) == 1 else f"{len(withheld)} times"
    unnamed = f"{times} where you may not read" if withheld else ""
    return "; ".join(each for each in (named, unnamed) if each)
