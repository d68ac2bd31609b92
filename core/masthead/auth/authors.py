"""The authors of another system as users."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from masthead.auth.models import User
from masthead.auth.services.users import create_user
from masthead.db import fold
from masthead.db.slugs import slug_base
from masthead.errors import Invalid
from masthead.schemas.field_types import Email


@dataclass(frozen=True)
class ForeignAuthor:
    """An author of another system."""

    key: str
    """The id in the other system."""
    name: str
    """The name that readers see."""
    email: str = ""
    """The e-mail address, by which a user is found; blank if it is unknown."""


def find_authors(session: Session, authors: Sequence[ForeignAuthor]) -> dict[str, int]:
    """Return the ids of the users with the authors' e-mail addresses, by the authors' keys."""
    keys = {author.key: fold(author.email) for author in authors if author.email}
    found = select(User.email_key, User.id).where(User.email_key.in_(keys.values()))
    ids = {row.email_key: row.id for row in session.execute(found)}
    return {key: ids[email] for key, email in keys.items() if email in ids}


def create_authors(session: Session, authors: Sequence[ForeignAuthor]) -> dict[str, int]:
    """Create a disabled user without a password or role for each author, to show the name.

    :returns: the ids of the users by the authors' keys. An author whose name can't be that of a
        user is left out.
    """
    made = {}
    for author in authors:
        try:
            with session.begin_nested():
                made[author.key] = _create(session, author)
        except Invalid:
            continue
    return made


def _create(session: Session, author: ForeignAuthor) -> int:
    base = slug_base(author.name or author.key)
    taken = set(
        session.scalars(select(User.username_key).where(User.username_key.like(f"{base}%")))
    )
    names = (base if number == 1 else f"{base}-{number}" for number in count(1))
    data: dict[str, Any] = {
        "username": next(name for name in names if fold(name) not in taken),
        "displayName": author.name,
        "email": _valid_address(author.email),
        "roles": [],
        "disabled": True,
    }
    return create_user(session, data, "", None).id


def _valid_address(email: str) -> str | None:
    try:
        return Email().parse(email)
    except ValueError:
        return None
