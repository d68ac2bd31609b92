"""The user of a person at the provider: found, linked or created, and given roles."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from masthead import (
    DisplayName,
    Forbidden,
    Invalid,
    Refused,
    Role,
    User,
    UserName,
    create_user,
    fold,
    lock,
    record,
    revoke_credentials,
    update_user,
    utcnow,
)
from masthead_oidc.claims import Person
from masthead_oidc.models import Link
from masthead_oidc.registrations import Registration

logger = logging.getLogger(__name__)

_NO_PASSWORD = ""
"""The hash of no password, so that the user can't log in by one until they choose it."""


class _Refusal(Forbidden):
    """The refusal of a login, which the audit log keeps."""

    def __init__(self, code: str, message: str, user: User | None = None) -> None:
        super().__init__(message)
        self.details = {"code": code}
        self.is_recorded = True
        self.user_id = user.id if user else 0


def sign_in(session: Session, person: Person) -> Link:
    """Return the link of a person, whose user has the roles of the person's groups.

    :raises Forbidden: if the person has no user here and gets none, the user is disabled, or no
        administrator would be left.
    """
    try:
        # The refusal is recorded, which commits everything outside of the savepoint.
        with session.begin_nested():
            return _sign_in(session, person)
    except _Refusal as refusal:
        user = session.get(User, refusal.user_id)
        facts = {"reason": refusal.details["code"], "subject": person.subject}
        record(session, "oidc.refuse", None, "user", user, **facts)
        raise


def _sign_in(session: Session, person: Person) -> Link:
    link = _find_link(session, person)
    if link is None:
        lock(session, "oidc.link")
        link = _find_link(session, person)
    if link is None:
        link = _new_link(session, person)
    else:
        _admit(session, link.user, person)
    link.last_login_at = utcnow()
    return link


def _find_link(session: Session, person: Person) -> Link | None:
    named = (Link.issuer == person.registration.issuer, Link.subject == person.subject)
    return session.scalars(select(Link).where(*named)).one_or_none()


def _new_link(session: Session, person: Person) -> Link:
    registration = person.registration
    found = _find_user(session, person) if registration.link_by_email else None
    if found is None and not registration.create_users:
        message = "No user is linked to your account at the provider; ask an administrator"
        raise _Refusal("not_linked", message)
    user = found or _create_user(session, person)
    # First, because its lock precedes that of the user's row in every change of a user.
    _admit(session, user, person)
    if found is not None:
        # Users change their addresses themselves, and Masthead doesn't verify them. Otherwise, a
        # user could take the address of a colleague and wait for the colleague's roles.
        revoke_credentials(session, user.id)
    link = Link(user=user, issuer=registration.issuer, subject=person.subject)
    session.add(link)
    session.flush()
    record(session, "oidc.link", None, "user", user, subject=person.subject)
    return link


def _admit(session: Session, user: User, person: Person) -> None:
    """Give the user of a person the roles of the person's groups.

    :raises Forbidden: if the user is disabled, or no administrator would be left.
    """
    if user.disabled:
        raise _Refusal("disabled", "The user is disabled", user)
    _update_roles(session, user, person)


def _find_user(session: Session, person: Person) -> User | None:
    """Return the user with the person's e-mail address, if the provider has verified it.

    :raises Forbidden: if the user is already linked: the address has gone to another person.
    """
    email = person.email
    if email is None or not person.has_verified_email:
        return None
    user = session.scalars(select(User).where(User.email_key == fold(email))).one_or_none()
    if user is None:
        return None
    # A link at another provider counts, too: its person would keep a way in.
    linked = select(Link.id).where(Link.user_id == user.id)
    if session.scalars(linked.limit(1)).first() is not None:
        message = "The user with your e-mail address is linked to another account at the provider"
        raise _Refusal("already_linked", message, user)
    return user


def _create_user(session: Session, person: Person) -> User:
    roles = {*person.roles, *person.registration.new_user_roles}
    try:
        data: dict[str, Any] = {
            "username": UserName().parse(person.username),
            "email": person.email,
            "displayName": _display_name(person),
            "roles": _existing(session, roles),
        }
        return create_user(session, data, _NO_PASSWORD, None)
    except (Invalid, ValueError) as error:
        message = f"The provider's data can't be those of a new user: {error}"
        raise _Refusal("not_creatable", message) from None


def _update_roles(session: Session, user: User, person: Person) -> None:
    """Give a user those of the mapped roles that the person's groups have; others stay.

    :raises Forbidden: if no administrator would be left.
    """
    managed = _mapped_keys(person.registration)
    held = {role.name for role in user.roles}
    kept = {name for name in held if fold(name) not in managed}
    wanted = kept.union(_existing(session, person.roles))
    if wanted == held:
        return
    try:
        update_user(session, user.id, {"roles": sorted(wanted)}, None)
    except Refused as error:
        raise _Refusal("no_administrator", error.message, user) from None


def _existing(session: Session, names: Iterable[str]) -> list[str]:
    """Return the roles with these names; the setting may name others."""
    keys = {fold(name): name for name in names}
    found = session.execute(
        select(Role.name_key, Role.name).where(Role.name_key.in_(keys)).order_by(Role.id)
    ).all()
    if missing := keys.keys() - {row.name_key for row in found}:
        logger.warning("masthead.oidc names unknown roles: %s", " ".join(sorted(missing)))
    return [row.name for row in found]


def unknown_roles(session: Session, known: Iterable[Registration]) -> list[str]:
    """Return the names in the settings that no role has."""
    names = {name for each in known for name in each.new_user_roles}
    mapped = names.union(*(roles for each in known for roles in each.roles.values()))
    keys = {fold(name): name for name in mapped}
    found = session.scalars(select(Role.name_key).where(Role.name_key.in_(keys)))
    return sorted(keys[key] for key in keys.keys() - set(found))


def mapped_new_roles(known: Iterable[Registration]) -> list[str]:
    """Return the roles of new users that a mapping names too, which takes them away at once."""
    return sorted(
        {name for each in known for name in each.new_user_roles if fold(name) in _mapped_keys(each)}
    )


def _mapped_keys(registration: Registration) -> set[str]:
    """Return the keys of the roles that the groups at a provider decide about."""
    return {fold(name) for roles in registration.roles.values() for name in roles}


def _display_name(person: Person) -> str | None:
    try:
        return DisplayName().parse(person.display_name) if person.display_name else None
    except ValueError:
        return None
