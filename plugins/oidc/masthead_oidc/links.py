"""The links between users and persons at providers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session, joinedload

from masthead import (
    Caller,
    NotFound,
    Notice,
    Page,
    ProblemCode,
    Refused,
    User,
    Window,
    end_tokens,
    instance_of,
    lock,
    notify,
    record,
    wrong_field,
)
from masthead_oidc.claims import Person
from masthead_oidc.models import Link
from masthead_oidc.registrations import registrations
from masthead_oidc.settings import PASSWORD_LOGINS


def list_links(session: Session, window: Window, user_id: int | None) -> Page:
    """Return a page of the links, newest first.

    :param user_id: the id of the user whose links are wanted; None for those of all.
    """
    wanted = select(Link) if user_id is None else select(Link).filter_by(user_id=user_id)
    total = session.scalar(select(func.count()).select_from(wanted.subquery())) or 0
    newest = wanted.options(joinedload(Link.user)).order_by(Link.id.desc())
    links = session.scalars(newest.limit(window.limit).offset(window.offset)).all()
    return Page([describe(each) for each in links], total)


def add_link(session: Session, data: Mapping[str, Any], caller: Caller) -> Link:
    """Link a person at the provider to a user.

    :raises Invalid: for an unknown user, a person who is linked already, and no provider.
    """
    issuer = data.get("issuer") or _first_issuer(session)
    user = session.get(User, data["userId"])
    if user is None:
        raise wrong_field("userId", ProblemCode.UNKNOWN_ID, "There is no such user")
    return _new_link(session, user, issuer, data["subject"], caller, "subject")


def link_person(session: Session, person: Person, caller: Caller) -> Link:
    """Link a person, who is the caller, to the caller's user, and notify the user.

    :raises Invalid: for a person who is linked already.
    """
    user, issuer = session.get_one(User, caller.id), person.registration.issuer
    link = _new_link(session, user, issuer, person.subject, caller, "ticket")
    message = f"You can log in at {issuer} from now on. If it wasn't you, remove the link"
    notice = Notice("Login Added", message, personal=True)
    notify(session, select(User.id).where(User.id == user.id), notice)
    return link


def unlink_person(session: Session, link_id: int, caller: Caller) -> None:
    """Delete a link of the caller, and end the other login tokens.

    :raises NotFound: if the caller has no such link.
    :raises Refused: if the caller couldn't log in any more.
    """
    lock(session, "oidc.link")
    link = session.get(Link, link_id)
    if link is None or link.user_id != caller.id:
        raise NotFound
    instance = instance_of(session)
    usable = [each.issuer for each in registrations(instance).all]
    others = select(Link.id).where(
        Link.user_id == caller.id, Link.id != link_id, Link.issuer.in_(usable)
    )
    has_password = bool(link.user.password) and instance.settings[PASSWORD_LOGINS]
    if not has_password and session.scalars(others.limit(1)).first() is None:
        raise Refused("You couldn't log in any more; choose a password or add another login first")
    _delete(session, link, caller, keep=caller.token)


def delete_link(session: Session, link_id: int, caller: Caller) -> None:
    """Delete a link, and end the login tokens of the user.

    :raises NotFound: if there is no such link.
    """
    link = session.get(Link, link_id)
    if link is None:
        raise NotFound
    _delete(session, link, caller, keep=None)


def delete_links(session: Session, user_id: int) -> None:
    """Delete all links of a user."""
    for link in session.scalars(select(Link).filter_by(user_id=user_id)).all():
        _remove(session, link, None)


def _new_link(
    session: Session, user: User, issuer: str, subject: str, caller: Caller, field: str
) -> Link:
    """Return a new link, once it is clear that the person has none.

    :param field: the field of the body that a refusal names.
    """
    lock(session, "oidc.link")
    linked = select(Link.id).where(Link.issuer == issuer, Link.subject == subject)
    if session.scalar(linked) is not None:
        raise wrong_field(field, ProblemCode.ALREADY_EXISTS, "Is linked already")
    link = Link(user=user, issuer=issuer, subject=subject)
    session.add(link)
    session.flush()
    record(session, "oidc.link", caller, "user", user, subject=subject)
    return link


def _delete(session: Session, link: Link, caller: Caller, keep: str | None) -> None:
    end_tokens(session, link.user_id, keep)
    _remove(session, link, caller)


def _remove(session: Session, link: Link, caller: Caller | None) -> None:
    record(session, "oidc.unlink", caller, "user", content_id=link.user_id, subject=link.subject)
    session.delete(link)


def _first_issuer(session: Session) -> str:
    found = registrations(instance_of(session)).all
    if not found:
        raise wrong_field("issuer", ProblemCode.REQUIRED, "Required")
    return found[0].issuer


def describe(link: Link) -> dict[str, Any]:
    """Return a link by wire name."""
    return {
        "id": link.id,
        "user": {
            "id": link.user.id,
            "username": link.user.username,
            "displayName": link.user.display_name,
        },
        "issuer": link.issuer,
        "subject": link.subject,
        "createdAt": link.created_at,
        "lastLoginAt": link.last_login_at,
    }
