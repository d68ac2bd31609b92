"""Refusing to delete what is in use, with a list of its uses."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from itertools import chain
from typing import Protocol

from sqlalchemy.orm import Session

from masthead.auth.caller import Caller
from masthead.auth.restricted import split_by_permission
from masthead.errors import Refused
from masthead.instance import instance_of
from masthead.ports.uses import ItemUse

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

    :param kind: the name of their content type or resource.
    :param label: their name for readers.
    :raises Refused: with the uses.
    """
    uses = [each for each in _uses(session, kind, ids) if not _is_among(each, kind, ids)]
    if uses:
        raise Refused(f"{label} is used: {describe_uses(uses, caller)}")


def used_items(
    session: Session, kind: str, label: str, ids: Sequence[int], caller: Caller | None
) -> dict[int, str]:
    """Return the messages for those of some items that can't be deleted, by their ids.

    An item that is used only by others of them, which can be deleted, can be deleted with these.
    """
    uses, deleted = _uses(session, kind, ids), set(ids)
    while used := {use.target for use in uses if not _is_among(use, kind, deleted)} & deleted:
        deleted = deleted.difference(used)
    of_item = defaultdict[int, list[ItemUse]](list)
    for each in uses:
        if not _is_among(each, kind, deleted):
            of_item[int(each.target)].append(each)
    return {i: f"{label} is used: {describe_uses(it, caller)}" for i, it in of_item.items()}


def _uses(session: Session, kind: str, ids: Sequence[int | str]) -> list[ItemUse]:
    hooks = instance_of(session).hooks
    return list(chain.from_iterable(hooks.masthead_uses(session=session, kind=kind, ids=ids)))


def _is_among(use: ItemUse, kind: str, ids: Collection[int | str]) -> bool:
    """Whether the using item is one of those that are deleted together."""
    return use.kind == kind and use.id in ids


def describe_uses(uses: Sequence[Use], caller: Caller | None) -> str:
    """Name the uses that the caller may read, and count the others."""
    readable, withheld = split_by_permission(uses, caller)
    shown = [f"{use.kind} {use.id}" + (f" ({use.title})" if use.title else "") for use in readable]
    rest = len(shown) - _MAX_SHOWN
    named = ", ".join(shown[:_MAX_SHOWN]) + (f" and {rest} more" if rest > 0 else "")
    times = "once" if len(withheld) == 1 else f"{len(withheld)} times"
    unnamed = f"{times} where you may not read" if withheld else ""
    return "; ".join(each for each in (named, unnamed) if each)
