"""The gate: plugins are asked before values become public, whatever the way.

Every operation that publishes passes through ``ask``, once for all of its items. Without a plugin
that implements ``masthead_publishing``, it reads nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from sqlalchemy.orm import Session

from masthead.approval.declaration import APPROVED, Approvable
from masthead.approval.publications import Objection, Publication, PublicationWay, PublishedImage
from masthead.approval.published_images import images_in
from masthead.auth.caller import Caller
from masthead.db import utcnow
from masthead.db.of_transaction import of_transaction
from masthead.errors import Problem, ProblemCode, Refused
from masthead.history.approved import kept_as
from masthead.history.snapshots import Snapshot
from masthead.instance import instance_of
from masthead.schemas.field_types import Timestamp
from masthead.schemas.fields import Field

Values = Mapping[str, Any]
Key = tuple[type[Any], int | str]
"""The model and the id of an item."""
Times = tuple[datetime | None, datetime | None]
"""The times at which an item appears and vanishes; None for at once and never."""
_LIVE, _WAITING = "live", "waiting"
_SINCE, _UNTIL = "scheduledPublishAt", "scheduledUnpublishAt"
_TITLES = ("title", "name")
_ASKED = "masthead.asked"
_TIME = Timestamp()


class Publishable(Protocol):
    """A kind of item that becomes public: a content type or a resource."""

    @property
    def name(self) -> str:
        """The name of the kind."""

    @property
    def fields(self) -> Sequence[Field]:
        """All writable fields."""

    @property
    def linked(self) -> frozenset[str]:
        """The names of the values that are ids of linked rows, such as ``tagIds``."""

    def live_snapshots(self, session: Session, items: Sequence[Any]) -> list[Snapshot]:
        """Return the values of items as the public sees them, without names."""

    def edited(self, _item: Any, _values: Values, /) -> Values | None:
        """Return the live values of an item with its staged edits; None if nothing is staged."""


@dataclass(frozen=True)
class _Untyped:
    """A kind of approved item without declared fields: only its title is known."""

    kind: Approvable
    fields: tuple[Field, ...] = ()
    linked: frozenset[str] = frozenset()

    @property
    def name(self) -> str:
        return self.kind.name

    def live_snapshots(self, _session: Session, items: Sequence[Any]) -> list[Snapshot]:
        return [Snapshot({"title": self.kind.shown_title(item)}) for item in items]

    def edited(self, _item: Any, _values: Values) -> None:
        return None


@dataclass(frozen=True)
class Candidate:
    """Values of an item that an operation makes public."""

    kind: Publishable
    """The content type or resource of the item."""
    item: Any
    values: Values
    """All values, as JSON values by wire name."""
    before: Values | None
    """Those that the public sees so far."""


def has_gates(session: Session) -> bool:
    """Whether a plugin is asked before values become public."""
    return bool(instance_of(session).hooks.masthead_publishing.get_hookimpls())


def asked_items(session: Session) -> set[Key]:
    """Return the items about which the session's present transaction has asked."""
    return of_transaction(session, _ASKED, set)


def note_asked(session: Session, item: Any) -> None:
    """Note that an operation knows of the change of an item: it asks, or has nothing to ask."""
    asked_items(session).add(_key(item))


def ask(
    session: Session,
    candidates: Sequence[Candidate],
    way: PublicationWay,
    caller: Caller | None,
) -> dict[int | str, Refused]:
    """Ask all plugins about items of one kind in one call, and return the refusals by id."""
    for each in candidates:
        note_asked(session, each.item)
    if not candidates or not has_gates(session):
        return {}
    shown = [_public(each.kind, each.values) for each in candidates]
    images = images_in(session, candidates[0].kind.fields, shown)
    publications = [
        _publication(candidate, values, found, way, caller)
        for candidate, values, found in zip(candidates, shown, images, strict=True)
    ]
    objections: dict[int | str, list[Objection]] = {}
    hook = instance_of(session).hooks.masthead_publishing
    for answer in hook(session=session, publications=publications):
        for objection in answer:
            objections.setdefault(objection.publication.item_id, []).append(objection)
    return {item_id: _refusal(each) for item_id, each in objections.items()}


def require(
    session: Session,
    candidates: Sequence[Candidate],
    way: PublicationWay,
    caller: Caller | None,
) -> None:
    """Ask all plugins about items of one kind in one call.

    :raises Refused: with the objections to the first item that has some.
    """
    for refusal in ask(session, candidates, way, caller).values():
        raise refusal


def proposed(
    session: Session,
    kind: Publishable,
    items: Sequence[Any],
    *,
    edited: bool = True,
    applied: bool = False,
) -> list[Candidate]:
    """Return the values of items that an operation makes public.

    :param edited: whether these are the values as staff see them, with the staged edits.
    :param applied: whether the items have these values already, so those before aren't known.
    """
    if not items or not has_gates(session):
        return [Candidate(kind, item, {}, None) for item in items]
    now, found = utcnow(), []
    for item, live in zip(items, kind.live_snapshots(session, items), strict=True):
        is_seen = not applied and item.published and not _is_over(live.values, now)
        staged = kind.edited(item, live.values) if edited else None
        before = live.values if is_seen else None
        found.append(Candidate(kind, item, staged or live.values, before))
    return found


def require_approval(
    session: Session,
    content_type: Approvable,
    item: Any,
    caller: Caller | None,
    asked: Mapping[int | str, Refused] | None,
) -> None:
    """Ask all plugins whether an item may be approved.

    :param asked: the refusals, if the plugins were asked about several items at once.
    :raises Refused: with the objections.
    """
    if asked is None:
        asked = ask_for_approvals(session, content_type, [item], caller)
    if item.id in asked:
        raise asked[item.id]


def ask_for_approvals(
    session: Session,
    content_type: Approvable,
    items: Sequence[Any],
    caller: Caller | None,
    way: PublicationWay = PublicationWay.APPROVAL,
) -> dict[int | str, Refused]:
    """Ask all plugins whether items may be approved, and return the refusals by id."""
    kind = kept_as(instance_of(session), content_type.name) or _Untyped(content_type)
    return ask(session, proposed(session, kind, items), way, caller)


class Watch:
    """Compares the public copies of an item before and after an update.

    The copies are the live one, and an approved edit that waits for its time.

    :param item: the item before the update.
    :param asks: whether items of this kind become public at all.
    """

    def __init__(
        self, session: Session, kind: Publishable, item: Any, *, asks: bool = True
    ) -> None:
        self._session, self._kind, self._item = session, kind, item
        self._before = self._copies() if asks and has_gates(session) else None

    def require(self, way: PublicationWay, caller: Caller | None) -> None:
        """Ask about each copy in which the public will see more than before.

        :raises Refused: with the objections to it.
        """
        note_asked(self._session, self._item)
        if self._before is None:
            return
        before = self._before
        candidates = [
            Candidate(self._kind, self._item, values, before.get(_LIVE))
            for name, values in self._copies().items()
            # A waiting edit that goes live was asked about before.
            if values not in before.values() and self._shows_more(values, before.get(name))
        ]
        require(self._session, candidates, way, caller)

    def _copies(self) -> dict[str, Values]:
        [live] = self._kind.live_snapshots(self._session, [self._item])
        copies = {_LIVE: live.values} if getattr(self._item, "published", True) else {}
        edited = self._kind.edited(self._item, live.values)
        if edited is not None and self._item.approval_status == APPROVED:
            copies[_WAITING] = edited
        now = utcnow()
        return {name: values for name, values in copies.items() if not _is_over(values, now)}

    def _shows_more(self, values: Values, before: Values | None) -> bool:
        if before is None or _public(self._kind, values) != _public(self._kind, before):
            return True
        return shows_longer(_times(before), _times(values))


def way_of_update(restored_from: int | None, *, publishes: bool) -> PublicationWay:
    """Return the way by which an update makes values public.

    :param restored_from: the number of the revision that it restores.
    """
    if restored_from is not None:
        return PublicationWay.RESTORE
    return PublicationWay.PUBLISHING if publishes else PublicationWay.EDIT


def shows_longer(before: Times, after: Times) -> bool:
    """Whether an item appears earlier, or vanishes later, than before."""
    since, until = after
    earlier = before[0] is not None and (since is None or since < before[0])
    later = before[1] is not None and (until is None or until > before[1])
    return earlier or later


def _key(item: Any) -> Key:
    return type(item), item.id


def _times(values: Values) -> Times:
    since, until = values.get(_SINCE), values.get(_UNTIL)
    return (
        None if since is None else _TIME.restore(since),
        None if until is None else _TIME.restore(until),
    )


def _is_over(values: Values, now: datetime) -> bool:
    """Whether the time has passed until which values are public."""
    until = _times(values)[1]
    return until is not None and until <= now


def _public(kind: Publishable, values: Values) -> dict[str, Any]:
    """Return the values of the public fields and of the linked rows."""
    names = {field.name for field in kind.fields if field.public} | kind.linked
    return {name: value for name, value in values.items() if name in names}


def _publication(
    candidate: Candidate,
    values: Values,
    images: tuple[PublishedImage, ...],
    way: PublicationWay,
    caller: Caller | None,
) -> Publication:
    since, until = _times(candidate.values)
    before = candidate.before
    return Publication(
        kind=candidate.kind.name,
        item_id=candidate.item.id,
        title=next((candidate.values[name] for name in _TITLES if name in candidate.values), ""),
        values=values,
        before=None if before is None else _public(candidate.kind, before),
        since=since if since is not None and since > utcnow() else None,
        until=until,
        images=images,
        way=way,
        caller=caller,
    )


def _refusal(objections: Sequence[Objection]) -> Refused:
    problems = [
        Problem(field, ProblemCode.NOT_ALLOWED, message)
        # Two copies of one item may have the same fault.
        for field, message in dict.fromkeys((it.field, it.message) for it in objections)
    ]
    return Refused("; ".join(map(str, problems)), *problems)
