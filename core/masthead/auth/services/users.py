"""Managing users: their names, addresses, passwords and roles."""

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
from masthead.db.locking import lock_row
from masthead.errors import NotFound, ProblemCode, wrong_field
from masthead.http.paging import Page, Window
from masthead.http.revisions import ANY_REVISION, Precondition
from masthead.i18n.mails import templated_mail
from masthead.instance import instance_of
from masthead.persons.services import USERS, forget_item_addresses, remember_change
from masthead.ports.mail import ACCOUNT
from masthead.schemas.field_types import TITLE
from masthead.unicode.lookalikes import looks_like_any

DEFAULT_ROLE = "editor"
WRONG_CURRENT = (
    "currentPassword",
    ProblemCode.WRONG_PASSWORD,
    "Current password is incorrect",
)
"""Path, code and message of the problem with a wrong current password."""


@dataclass(frozen=True)
class HashedPassword:
    """A new password for a user."""

    hashed: str
    """The hash to store (``masthead.auth.passwords.hash_password``)."""
    kept_token: str | None = None
    """The ``jti`` of the token that stays valid; all other tokens of the user end."""


def list_users(session: Session, window: Window) -> Page:
    """Return a page of the users, by name."""
    statement = select(User).options(selectinload(User.roles)).order_by(User.sort_key, User.id)
    total = session.scalar(select(func.count()).select_from(User)) or 0
    return Page(session.scalars(statement.limit(window.limit).offset(window.offset)).all(), total)


def get_user(session: Session, user_id: int, *, for_update: bool = False) -> User:
    """Return a user by id.

    :param for_update: whether to read the user afresh and lock them.
    :raises NotFound: where there is no such user.
    """
    if for_update:
        # Saving or approving an item refers to users, which a full lock would block.
        return lock_row(session, User, user_id, message="User not found", key_share=True)
    user = session.get(User, user_id, options=[selectinload(User.roles)])
    if user is None:
        raise NotFound("User not found")
    return user


def get_user_named(session: Session, username: str) -> User:
    """Return a user by username, in any case.

    :raises NotFound: where there is no such user.
    """
    user = session.scalars(select(User).where(User.username_key == fold(username))).one_or_none()
    if user is None:
        raise NotFound(f"There is no user {username}")
    return user


def create_user(session: Session, data: Mapping[str, Any], hashed: str, actor: int | None) -> User:
    """Create a user.

    :param data: ``username``, and optionally ``email``, ``displayName``, ``language`` (a tag),
        ``roles`` (names; the role ``editor`` where they are left out) and ``disabled``.
    :param hashed: the hash of the password (``masthead.auth.passwords.hash_password``).
    :param actor: the acting user's id; None for the command line.
    :raises Invalid: for a taken name or address, or an unknown role.
    """
    with keeping_an_admin(session):
        user = User(password=hashed)
        _apply(session, user, {"roles": [DEFAULT_ROLE], **data})
        user.created_at = user.updated_at = utcnow()
        session.add(user)
        session.flush()
    roles = [role.name for role in user.roles]
    record(session, "user.create", actor, "user", user, username=user.username, roles=roles)
    return user


def update_user(
    session: Session,
    user_id: int,
    data: Mapping[str, Any],
    actor: int | None,
    password: HashedPassword | None = None,
    *,
    verified: int | None = None,
    precondition: Precondition = ANY_REVISION,
) -> User:
    """Change the fields of a user that are given; see :func:`create_user`.

    :param verified: the user's generation when their current password was verified; None where it
        needn't be.
    :raises NotFound: where there is no such user.
    :raises Invalid: also where the password has changed since it was verified.
    :raises Refused: where no administrator would be left.
    """
    with keeping_an_admin(session):
        user = get_user(session, user_id, for_update=True)
        precondition.check(user.revision)
        if verified not in (None, user.generation):
            raise wrong_field(*WRONG_CURRENT, named=False)
        was_disabled, former = user.disabled, user.email
        _apply(session, user, data)
        if password is not None:
            _set_password(user, password)
        if session.is_modified(user):
            user.revision += 1
        user.updated_at = utcnow()
    remember_change(session, USERS, user, former, user.email)
    if former is not None and fold(former) != user.email_key:
        _tell_former_address(session, user, former)
    record(
        session,
        "user.disable" if user.disabled and not was_disabled else "user.update",
        actor,
        "user",
        user,
        username=user.username,
        fields=sorted([*data, *(["password"] if password else [])]),
        roles=[role.name for role in user.roles],
    )
    return user


def remove_user(
    session: Session,
    user_id: int,
    actor: int | None,
    precondition: Precondition = ANY_REVISION,
) -> None:
    """Delete a user; disable the user instead if any record refers to it.

    Rows whose foreign key has ON DELETE CASCADE are deleted too. Any other foreign key in the
    database keeps the row, even one of a disabled plugin.

    :raises NotFound: where there is no such user.
    :raises Refused: where no administrator would be left.
    """
    with keeping_an_admin(session):
        user = get_user(session, user_id, for_update=True)
        precondition.check(user.revision)
        # Written first: the entry itself refers to users who remove themselves.
        entry = record(session, "user.delete", actor, "user", user, username=user.username)
        try:
            with session.begin_nested():
                session.delete(user)
                forget_item_addresses(session, USERS, [user.id])
        except IntegrityError:
            entry.action = "user.disable"
            user = get_user(session, user_id)
            _set_disabled(user, disabled=True)
            user.revision += 1
            user.updated_at = utcnow()


def _set_password(user: User, password: HashedPassword) -> None:
    user.password = password.hashed
    user.generation += 1
    user.kept_token = password.kept_token


def _apply(session: Session, user: User, data: Mapping[str, Any]) -> None:
    """Set the given fields; the lock of ``keeping_an_admin`` keeps names unique meanwhile."""
    with session.no_autoflush:
        if "username" in data:
            _set_username(session, user, data["username"])
        if "email" in data:
            _set_email(session, user, data["email"])
        if "roles" in data:
            user.roles = _find_roles(session, data["roles"])
    if "displayName" in data:
        user.display_name = data["displayName"]
    if "language" in data:
        user.language = data["language"]
    if "disabled" in data:
        _set_disabled(user, disabled=data["disabled"])


def _set_username(session: Session, user: User, username: str) -> None:
    key = fold_key(username, TITLE, "username")
    if _is_taken(session, user, key):
        raise wrong_field(
            "username", ProblemCode.ALREADY_EXISTS, "Username already exists", named=False
        )
    if username != user.username:
        _refuse_look_alike(session, user, username, "username")
    user.username, user.username_key = username, key


def _set_email(session: Session, user: User, email: str | None) -> None:
    if email is None:
        # A user without an address may send it back as it was read; an address is never removed.
        if user.email is not None:
            raise wrong_field("email", ProblemCode.REQUIRED, "Required")
        return
    key = fold_key(email, TITLE, "email")
    if _is_taken(session, user, key):
        raise wrong_field("email", ProblemCode.ALREADY_EXISTS, "Email already exists", named=False)
    if email != user.email:
        _refuse_look_alike(session, user, email, "email")
    user.email, user.email_key = email, key


def _tell_former_address(session: Session, user: User, former: str) -> None:
    """Mail the former address, so that the owner notices a takeover by a stolen token."""
    instance = instance_of(session)
    mail = templated_mail(
        session,
        "core/mails/changed-address.txt",
        to=former,
        kind=ACCOUNT,
        language=user.language,
        username=user.username,
    )
    instance.hooks.masthead_deliver_mail(session=session, mail=mail)


def _is_taken(session: Session, user: User, key: str) -> bool:
    """Whether another user has this username or address."""
    others = select(User.id).where(or_(User.username_key == key, User.email_key == key))
    return any(found != user.id for found in session.scalars(others))


def _refuse_look_alike(session: Session, user: User, login: str, field: str) -> None:
    """Refuse a username or address that looks like one of another user.

    :raises Invalid: naming the field, but not the other user.
    """
    others = session.execute(
        select(User.username, User.email).where(User.id.is_distinct_from(user.id))
    )
    logins = (each for names in others for each in names if each is not None)
    if looks_like_any(login, logins):
        raise wrong_field(
            field, ProblemCode.ALREADY_EXISTS, "Looks like the name or address of another user"
        )


def _set_disabled(user: User, *, disabled: bool) -> None:
    # A new user has no tokens, and ``disabled`` is None until the flush.
    if disabled and user.disabled is False:
        # Older tokens stay invalid after the user is enabled again.
        user.generation += 1
        user.kept_token = None
    user.disabled = disabled


def _find_roles(session: Session, names: Sequence[str]) -> list[Role]:
    found = {role.name_key: role for role in session.scalars(select(Role))}
    for name in names:
        if fold(name) not in found:
            raise wrong_field("roles", ProblemCode.UNKNOWN_NAME, f"There is no role {name}")
    return [found[key] for key in dict.fromkeys(map(fold, names))]
