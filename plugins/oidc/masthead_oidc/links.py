"""The links between users and persons at the provider, for administrators."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session, joinedload

from masthead import (
    Caller,
    NotFound,
    Page,
    ProblemCode,
    User,
    Window,
    end_tokens,
    instance_of,
    lock,
    record,
    wrong_field,
)
from masthead_oidc.models import Link
from masthead_oidc.settings import ISSUER


def list_links(session: Session, window: Window) -> Page:
    """Return a page of the links, newest first."""
    statement = select(Link).options(joinedload(Link.user)).order_by(Link.id.desc())
    total = session.scalar(select(func.count()).select_from(Link)) or 0
    links = session.scalars(statement.limit(window.limit).offset(window.offset)).all()
    return Page([describe(each) for each in links], total)


def add_link(session: Session, data: Mapping[str, Any], caller: Caller) -> Link:
    """Link a person at the provider to a user.

    :raises Invalid: for an unknown user, a person who is linked already, and no provider.
    """
    issuer = data.get("issuer") or instance_of(session).settings[ISSUER]
    if not issuer:
        raise wrong_field("issuer", ProblemCode.REQUIRED, "Required")
    user = session.get(User, data["userId"])
    if user is None:
        raise wrong_field("userId", ProblemCode.UNKNOWN_ID, "There is no such user")
    lock(session, "oidc.link")
    linked = select(Link.id).where(Link.issuer == issuer, Link.subject == data["subject"])
    if session.scalar(linked) is not None:
        raise wrong_field("subject", ProblemCode.ALREADY_EXISTS, "Is linked already")
    link = Link(user=user, issuer=issuer, subject=data["subject"])
    session.add(link)
    session.flush()
    record(session, "oidc.link", caller, "user", user, subject=link.subject)
    return link


def delete_link(session: Session, link_id: int, caller: Caller) -> None:
    """Delete a link, and end the login tokens of the user.

    :raises NotFound: if there is no such link.
    """
    link = session.get(Link, link_id)
    if link is None:
        raise NotFound
    record(session, "oidc.unlink", caller, "user", link.user, subject=link.subject)
    end_tokens(session, link.user_id)
    session.delete(link)


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
