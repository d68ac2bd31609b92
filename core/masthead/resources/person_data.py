"""Personal data in all plugins: read for the person, and deleted when the person is erased."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy.orm import Session

from masthead.instance import instance_of


@dataclass(frozen=True)
class PersonData:
    """The items of one kind that a plugin holds about a person."""

    kind: str
    """The kind in the plural, as staff know it: ``contact-messages``."""
    items: Sequence[Mapping[str, Any]]
    """JSON objects by wire name."""


def person_data(session: Session, address: str) -> list[PersonData]:
    """Return everything that the enabled plugins hold about a person, ordered by kind.

    :param session: a session to read with.
    :param address: the person's e-mail address, as ``Email`` stores it.
    """
    answers = instance_of(session).hooks.masthead_person_data(session=session, address=address)
    found = [data for answer in answers for data in answer if data.items]
    return sorted(found, key=lambda data: data.kind)


def forget_person(session: Session, address: str) -> None:
    """Let every plugin delete everything that it holds about a person.

    :param address: the person's e-mail address, as ``Email`` stores it.
    """
    instance_of(session).hooks.masthead_forget_person(session=session, address=address)
