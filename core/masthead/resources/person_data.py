"""Personal data in all plugins: read for the person, and deleted when the person is erased."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy.orm import Session

from masthead.auth.caller import Caller
from masthead.auth.restricted import split_by_permission
from masthead.db.status import revisions_of_others
from masthead.instance import Instance, instance_of
from masthead.persons.services import forget_addresses
from masthead.resources.person_addresses import addresses_of_person


@dataclass(frozen=True)
class PersonData:
    """The items of one kind that a plugin holds about a person."""

    kind: str
    """The kind in the plural, as staff know it: ``contact-messages``."""
    permission: str
    """The permission that reading them needs, whether there are any or not."""
    items: Sequence[Mapping[str, Any]]
    """JSON objects by wire name."""


@dataclass(frozen=True)
class PersonReport:
    """Everything about a person that a caller may read."""

    data: Mapping[str, Sequence[Mapping[str, Any]]]
    """The items by kind; a kind without items is absent."""
    left_out: Sequence[str]
    """The kinds that the caller may not read, whether there are items or not."""
    not_searched: Sequence[str] = ()
    """The disabled or removed plugins whose tables are there, and may hold data of the person."""


def person_data(session: Session, addresses: Iterable[str], caller: Caller | None) -> PersonReport:
    """Return what the enabled plugins hold about a person, ordered by kind.

    :param session: a session to read with.
    :param addresses: the person's e-mail addresses, as ``addresses_of_person`` returns them.
    :param caller: the user who asks; None for the command line, which may read everything.
    """
    found: dict[str, list[Mapping[str, Any]]] = {}
    left_out: set[str] = set()
    for address in addresses:
        readable, withheld = split_by_permission(_ask(session, address, caller), caller)
        left_out.update(data.kind for data in withheld)
        for data in readable:
            items = found.setdefault(data.kind, [])
            items += [item for item in data.items if item not in items]
    return PersonReport(
        {kind: items for kind, items in sorted(found.items()) if items},
        sorted(left_out),
        plugins_not_searched(session),
    )


def plugins_not_searched(session: Session) -> list[str]:
    """Return the names of disabled or removed plugins whose tables are in the database."""
    return [*revisions_of_others(session.connection(), instance_of(session).plugins)]


def forget_person(session: Session, address: str) -> None:
    """Let every plugin delete everything that it holds about a person, by any of their addresses.

    :param address: one of the person's e-mail addresses, as ``Email`` stores it.
    """
    hook = instance_of(session).hooks.masthead_forget_person
    addresses = addresses_of_person(session, address, None).addresses
    for each in addresses:
        hook(session=session, address=each)
    forget_addresses(session, addresses)


def _ask(session: Session, address: str, caller: Caller | None) -> list[PersonData]:
    instance = instance_of(session)
    answers = instance.hooks.masthead_person_data(session=session, address=address, caller=caller)
    found = [data for answer in answers for data in answer]
    for data in found:
        _check_permission(instance, data)
    return found


def _check_permission(instance: Instance, data: PersonData) -> None:
    if data.permission not in instance.permissions:
        raise LookupError(f"{data.kind} needs {data.permission}, which is not declared")
