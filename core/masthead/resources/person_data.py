"""What is held on a person, in every plugin: told to them, and forgotten where they ask."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy.orm import Session

from masthead.instance import instance_of


@dataclass(frozen=True)
class PersonData:
    """Things of one kind that a plugin holds on a person."""

    kind: str
    """In the plural, as staff know it: ``contact-messages``."""
    items: Sequence[Mapping[str, Any]]
    """JSON objects by wire name."""


def person_data(session: Session, address: str) -> list[PersonData]:
    """All that the enabled plugins hold on who has an e-mail address, by kind.

    :param session: a session to read with.
    :param address: as ``Email`` stores it.
    """
    answers = instance_of(session).hooks.masthead_person_data(session=session, address=address)
    found = [data for answer in answers for data in answer if data.items]
    return sorted(found, key=lambda data: data.kind)


def forget_person(session: Session, address: str) -> None:
    """Let every plugin delete what it holds on who has an e-mail address.

    :param address: as ``Email`` stores it.
    """
    instance_of(session).hooks.masthead_forget_person(session=session, address=address)
