"""All addresses of a person: those of the items about them, and those that the items had before.

An address that an item had remains its address until another item gets it. An item may have got
an address at the same time as others, such as the contact and the subscriber of one person; these
items belong together.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

from sqlalchemy import (
    ColumnElement,
    Select,
    and_,
    false,
    func,
    literal,
    or_,
    select,
    true,
    union_all,
)
from sqlalchemy.orm import Session

from masthead.auth.caller import Caller
from masthead.auth.models import User
from masthead.db import fold
from masthead.http.permissions import ADMIN
from masthead.instance import instance_of
from masthead.persons.models import KnownAddress
from masthead.persons.services import USERS, join_addresses
from masthead.resources.declaration import Resource

_Item = tuple[str, int]


@dataclass(frozen=True)
class PersonAddresses:
    """The addresses of a person."""

    addresses: tuple[str, ...]
    """Those that their data is found by; the current ones come before the others."""
    taken: tuple[str, ...]
    """Former addresses that an item of somebody else has got since."""


@dataclass(frozen=True)
class _Kind:
    """A kind of items that have addresses."""

    name: str
    model: Any
    address: Any
    key: Any
    """The column that is compared: the address, or its folded form."""
    permission: str
    """The permission that reading its items needs."""


@dataclass(frozen=True)
class _Claim:
    """An address of an item, for the time in which the item has or had it."""

    item: _Item
    address: str
    since: datetime
    until: datetime | None
    current: bool

    @property
    def key(self) -> str:
        """The address in the form that is compared."""
        return fold(self.address)

    def is_valid(self, claims: Iterable[_Claim]) -> bool:
        """Whether no other item has got the address after this one.

        :param claims: all claims to the address.
        """
        return self.current or not any(other.follows(self) for other in claims)

    def follows(self, former: _Claim) -> bool:
        """Whether another item got the address after the former one."""
        if self.item == former.item:
            return False
        # Two items of one kind rarely share an address, but can change it in the same moment.
        same_kind = self.item[0] == former.item[0]
        if former.until is None:
            # The address came by a merge, so that its items of other kinds belong to the person.
            return same_kind and self.since >= former.since
        return self.since > former.until or (same_kind and self.since == former.until)


def addresses_of_person(
    session: Session, address: str, caller: Caller | None, *, without: Iterable[str] = ()
) -> PersonAddresses:
    """Return all addresses of the person with an address, which comes first.

    :param address: an address as ``Email`` stores it.
    :param caller: the user who asks, and learns nothing from items that they may not read; None
        for the command line.
    :param without: former addresses to leave out, because they were never the person's.
    """
    search = _Search(session, caller, without)
    search.accept(address)
    search.run([fold(address)])
    return search.result()


def addresses_of_item(
    session: Session, resource: Resource, item: Any, caller: Caller | None
) -> PersonAddresses:
    """Return all addresses of the person of an item, beginning with the address of the item.

    :param resource: a resource with a ``person``.
    :param caller: see :func:`addresses_of_person`.
    """
    search = _Search(session, caller)
    current = getattr(item, resource.attribute(resource.person))
    if current:
        search.accept(current)
    search.run(
        [*map(fold, [current] if current else ()), *search.add_items({(resource.name, item.id)})]
    )
    return search.result()


def merge_addresses(session: Session, resource: Resource, item: Any, other: Any) -> None:
    """Give an item all addresses of another one, which is about to be merged into it and deleted.

    :param resource: a resource whose ``person`` is unique.
    """
    name = resource.attribute(resource.person)
    addresses = getattr(item, name), getattr(other, name)
    join_addresses(session, resource.name, item, addresses[0], other, addresses[1])


def former_items(session: Session, resource: Resource, address: str) -> list[int]:
    """Return the ids of the items that had an address, which nobody else has got since."""
    claims = list(_claims_to(session, _kinds(session), [fold(address)], [address]))
    found = [it for it in claims if it.item[0] == resource.name and not it.current]
    return sorted(it.item[1] for it in found if it.is_valid(claims))


class _Search:
    """The search for the addresses and items of a person, from one to the others."""

    def __init__(
        self, session: Session, caller: Caller | None, without: Iterable[str] = ()
    ) -> None:
        self._session = session
        self._without = {fold(address) for address in without}
        self._kinds = _kinds(session)
        self._readable = {
            kind.name for kind in self._kinds if caller is None or caller.may(kind.permission)
        }
        self._items: set[_Item] = set()
        self._addresses: dict[str, str] = {}
        self._former: dict[str, str] = {}
        self._taken: dict[str, str] = {}

    def accept(self, address: str) -> None:
        """Add an address of the person."""
        self._addresses[fold(address)] = address

    def run(self, keys: Collection[str]) -> None:
        """Search from some addresses, as they are compared, until nothing is added."""
        while keys:
            spellings = {**self._former, **self._addresses, **self._taken}
            texts = [spellings.get(key, key) for key in keys]
            claims = list(_claims_to(self._session, self._kinds, keys, texts))
            items: set[_Item] = set()
            for key in keys:
                items |= self._judge(key, [claim for claim in claims if claim.key == key])
            keys = self.add_items(items - self._items)

    def add_items(self, items: Collection[_Item]) -> list[str]:
        """Add items of the person; return those of their addresses that aren't known yet."""
        if not items:
            return []
        self._items |= set(items)
        found: list[str] = []
        for claim in _claims_of(self._session, self._kinds, items):
            if claim.key not in {*self._addresses, *self._without, *found}:
                found.append(claim.key)
                self._former[claim.key] = claim.address
        return found

    def result(self) -> PersonAddresses:
        """Return the addresses that were found."""
        taken = [text for key, text in self._taken.items() if key not in self._addresses]
        return PersonAddresses(tuple(self._addresses.values()), tuple(taken))

    def _judge(self, key: str, claims: list[_Claim]) -> set[_Item]:
        """Accept an address or leave it out; return the items that it leads to."""
        valid = {claim.item for claim in claims if claim.is_valid(claims)}
        if key not in self._addresses:
            if not valid & self._items:
                self._taken[key] = self._former[key]
                return set()
            self._addresses[key] = self._former[key]
        return {item for item in valid if item[0] in self._readable}


def _kinds(session: Session) -> list[_Kind]:
    """Return the kinds of items that have addresses, each of one person."""
    resources = instance_of(session).resources.values()
    kinds = [
        _Kind(
            it.name,
            it.model,
            getattr(it.model, it.attribute(it.person)),
            getattr(it.model, it.person_key or it.attribute(it.person)),
            it.read_permission,
        )
        for it in resources
        if it.keeps_addresses
    ]
    return [*kinds, _Kind(USERS, User, User.email, User.email_key, ADMIN)]


def _claims_to(
    session: Session, kinds: Iterable[_Kind], keys: Collection[str], texts: Collection[str]
) -> Iterator[_Claim]:
    """Yield the claims to some addresses.

    :param keys: the addresses as they are compared.
    :param texts: the same addresses as ``Email`` stores them.
    """
    spellings = list({*keys, *texts})
    parts: list[Select[Any]] = []
    for kind in kinds:
        parts += _both(kind, kind.key.in_(spellings), KnownAddress.address_key.in_(keys))
    return _read(session, parts)


def _claims_of(
    session: Session, kinds: Iterable[_Kind], items: Collection[_Item]
) -> Iterator[_Claim]:
    """Yield the claims of some items."""
    parts: list[Select[Any]] = []
    for kind in kinds:
        ids = [item_id for name, item_id in items if name == kind.name]
        if ids:
            condition = kind.model.id.in_(ids)
            parts += _both(kind, and_(condition, kind.address.is_not(None)), condition)
    return _read(session, parts)


def _both(
    kind: _Kind, of_items: ColumnElement[bool], of_known: ColumnElement[bool]
) -> list[Select[Any]]:
    """Return the queries of the current addresses of a kind, and of all that are known.

    :param of_items: the condition on the items.
    :param of_known: the condition on the known addresses.
    """
    known = and_(KnownAddress.kind == kind.name, KnownAddress.item_id == kind.model.id)
    still = and_(known, KnownAddress.address == kind.address)
    since = func.coalesce(KnownAddress.since, kind.model.created_at, type_=KnownAddress.since.type)
    name, model = literal(kind.name).label("kind"), kind.model
    current = select(
        name,
        model.id.label("item_id"),
        kind.address.label("address"),
        since.label("since"),
        literal(None, KnownAddress.until.type).label("until"),
        true().label("current"),
    )
    former = select(
        name,
        KnownAddress.item_id,
        KnownAddress.address,
        KnownAddress.since,
        KnownAddress.until,
        false().label("current"),
    )
    changed = or_(kind.address.is_(None), KnownAddress.address != kind.address)
    return [
        current.select_from(model).outerjoin(KnownAddress, still).where(of_items),
        former.join(model, known).where(of_known, changed),
    ]


def _read(session: Session, parts: list[Select[Any]]) -> Iterator[_Claim]:
    if not parts:
        return
    rows = union_all(*parts).subquery()
    ordered = select(rows).order_by(rows.c.current.desc(), rows.c.kind, rows.c.item_id)
    for row in session.execute(ordered.order_by(rows.c.address)):
        item = cast(_Item, (row.kind, row.item_id))
        yield _Claim(item, row.address, row.since, row.until, bool(row.current))
