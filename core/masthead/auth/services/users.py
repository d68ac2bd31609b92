"""Managing users: who exists, how they are called, what roles they hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import func, or_, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session, selectinload

from masthead.audit.services import record
from masthead.auth.models import Role, User
from masthead.auth.services.admins import keeping_an_admin
from masthead.db import fold, utcnow
from masthead.db.folding import fold_key
from masthead.errors import Invalid, NotFound
from masthead.http.paging import Page, Window
from masthead.instance import instance_of
from masthead.ports.mail import Mail
from masthead.schemas.field_types import TITLE

DEFAULT_ROLE = "editor"
_CHANGED_ADDRESS = """\
The account {{username}} has another e-mail address now, and mails about it come here no more.

If that wasn't you, tell an administrator at once: by the new address, somebody else could choose a
new password for it.
"""


@dataclass(frozen=True)
class HashedPassword:
    """What takes the place of a user's password."""

    hashed: str
    """What is stored for it (``masthead.auth.passwords.seal``)."""
    kept_token: str | None = None
    """``jti`` of the token that stays valid; every other one of the user ends."""
    generation: int | None = None
    """The user's when the former password was verified; None where nobody had to know it."""


def list_users(session: Session, window: Window) -> Page:
    """A page of the users, by name."""
    statement = select(User).options(selectinload(User.roles)).order_by(User.username_key, User.id)
    total = session.scalar(select(func.count()).select_from(User)) or 0
    return Page(session.scalars(statement.limit(window.limit).offset(window.offset)).all(), total)


def get_user(session: Session, user_id: int, *, for_update: bool = False) -> User:
    """A user by id, as the database has it now where it is read ``for_update``.

    :raises NotFound: where there is none.
    """
    user = session.get(
        User,
        user_id,
        options=[selectinload(User.roles)],
        # Who saves or approves an item refers to its users, which a full lock would keep from them.
        with_for_update={"key_share": True} if for_update else None,
        populate_existing=for_update,
    )
    if user is None:
        raise NotFound("User not found")
    return user


def get_user_named(session: Session, username: str) -> User:
    """A user by username, in any case.

    :raises NotFound: where there is none.
    """
    user = session.scalars(select(User).where(User.username_key == fold(username))).one_or_none()
    if user is None:
        raise NotFound(f"There is no user {username}")
    return user


def create_user(session: Session, data: Mapping[str, Any], hashed: str, actor: int | None) -> User:
    """Create a user.

    :param data: ``username``, and optionally ``email``, ``displayName``, ``roles`` (names; the
        role ``editor`` where they are left out) and ``disabled``.
    :param sealed: what is stored for the password (``masthead.auth.passwords.seal``).
    :param actor: id of who does it; None for the command line.
    :raises Invalid: for a name or address that is taken, or an unknown role.
    """
    with keeping_an_admin(session):
        user = User(password=hashed)
        _apply(session, user, {"roles": [DEFAULT_ROLE], **data})
        user.created_at = user.updated_at
        session.add(user)
        session.flush()
    record(
        session,
        "user.create",
        actor,
        content_type="user",
        content_id=user.id,
        username=user.username,
        roles=[role.name for role in user.roles],
    )
    return user


def update_user(
    session: Session,
    user_id: int,
    data: Mapping[str, Any],
    actor: int | None,
    password: HashedPassword | None = None,
) -> User:
    """Change the fields of a user that are given; see :func:`create_user`.

    :raises NotFound: where there is no such user.
    :raises Invalid: also where no administrator would be left, or where the password has been
        changed since it was verified.
    """
    with keeping_an_admin(session):
        user = get_user(session, user_id, for_update=True)
        was_disabled, former = user.disabled, user.email
        _apply(session, user, data)
        if password is not None:
            _set_password(user, password)
    if former is not None and fold(former) != user.email_key:
        _tell_former_address(session, user, former)
    disabled = user.disabled and not was_disabled
    record(
        session,
        "user.disable" if disabled else "user.update",
        actor,
        content_type="user",
        content_id=user.id,
        username=user.username,
        fields=sorted([*data, *(["password"] if password else [])]),
        roles=[role.name for role in user.roles],
    )
    return user


def remove_user(session: Session, user_id: int, actor: int | None) -> None:
    """Delete a user, or disable one whom anything refers to.

    What belongs to the user alone (a foreign key with ON DELETE CASCADE) goes along; any other
    foreign key in the database keeps the row, also one of a plugin that isn't enabled.

    :raises NotFound: where there is no such user.
    :raises Invalid: where no administrator would be left.
    """
    with keeping_an_admin(session):
        user = get_user(session, user_id, for_update=True)
        # Written first: who removes themselves is referred to by this very entry.
        entry = record(
            session,
            "user.delete",
            actor,
            content_type="user",
            content_id=user_id,
            username=user.username,
        )
        try:
            with session.begin_nested():
                session.delete(user)
        except IntegrityError:
            entry.action = "user.disable"
            user = get_user(session, user_id)
            _set_disabled(user, disabled=True)
            user.updated_at = utcnow()


def _set_password(user: User, password: HashedPassword) -> None:
    if password.generation not in (None, user.generation):
        raise Invalid("Current password is incorrect")
    user.password = password.hashed
    user.generation += 1
    user.kept_token = password.kept_token


def _apply(session: Session, user: User, data: Mapping[str, Any]) -> None:
    """Set the fields given; under the lock of ``keeping_an_admin``, so that names stay unique."""
    with session.no_autoflush:
        if "username" in data:
            _set_username(session, user, data["username"])
        if "email" in data:
            _set_email(session, user, data["email"])
        if "roles" in data:
            user.roles = _find_roles(session, data["roles"])
    if "displayName" in data:
        user.display_name = data["displayName"]
    if "disabled" in data:
        _set_disabled(user, disabled=data["disabled"])
    user.updated_at = utcnow()


def _set_username(session: Session, user: User, username: str) -> None:
    key = fold_key(username, TITLE, "username")
    if _is_taken(session, user, key):
        raise Invalid("Username already exists")
    user.username, user.username_key = username, key


def _set_email(session: Session, user: User, email: str | None) -> None:
    if email is None:
        # Who never had an address may send what they read; nobody loses theirs.
        if user.email is not None:
            raise Invalid("email: Required")
        return
    key = fold_key(email, TITLE, "email")
    if _is_taken(session, user, key):
        raise Invalid("Email already exists")
    user.email, user.email_key = email, key


def _tell_former_address(session: Session, user: User, former: str) -> None:
    """Nobody shall take over an account by a token alone without its owner hearing of it."""
    mail = Mail(
        to=former,
        kind="account",
        subject="Your e-mail address was changed",
        text=_CHANGED_ADDRESS,
        variables={"username": user.username},
    )
    instance_of(session).hooks.masthead_deliver_mail(session=session, mail=mail)


def _is_taken(session: Session, user: User, key: str) -> bool:
    """Whether somebody else logs in by that name, be it their username or their address."""
    others = select(User.id).where(or_(User.username_key == key, User.email_key == key))
    return any(found != user.id for found in session.scalars(others))


def _set_disabled(user: User, *, disabled: bool) -> None:
    # Who is just being made is neither yet, and has no tokens.
    if disabled and user.disabled is False:
        # Tokens of before stay ended when the user is enabled again.
        user.generation += 1
        user.kept_token = None
    user.disabled = disabled


def _find_roles(session: Session, names: Sequence[str]) -> list[Role]:
    found = {role.name_key: role for role in session.scalars(select(Role))}
    for name in names:
        if fold(name) not in found:
            raise Invalid(f"roles: There is no role {name}")
    return [found[key] for key in dict.fromkeys(map(fold, names))]
