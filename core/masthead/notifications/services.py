"""Sending, listing, reading and deleting notifications."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import ColumnElement, Select, delete, func, insert, literal, select, update
from sqlalchemy.orm import Session

from masthead.auth.caller import Caller
from masthead.auth.models import RolePermission, User, user_roles
from masthead.db import UTCDateTime, utcnow
from masthead.errors import NotFound
from masthead.http.paging import Page, Window
from masthead.http.permissions import ADMIN
from masthead.instance import instance_of
from masthead.notifications.items import Key, items_of
from masthead.notifications.models import Notification
from masthead.ports.notice import Notice


def holders(*permissions: str) -> Select[int]:
    """Select the ids of the users who have all of some permissions, or ``admin``."""
    return select(User.id).where(*(User.id.in_(_holders_of(each)) for each in permissions))


def _holders_of(permission: str) -> Select[int]:
    granted = RolePermission.permission.in_((permission, ADMIN))
    roles = select(RolePermission.role_id).where(granted)
    return select(user_roles.c.user_id).where(user_roles.c.role_id.in_(roles))


def user(user_id: int) -> Select[int]:
    """Select the id of one user."""
    return select(User.id).where(User.id == user_id)


def notify(session: Session, recipients: Select[int], notice: Notice) -> None:
    """Notify each enabled recipient once, in the session's transaction.

    :param recipients: a select of user ids, such as ``approvers``, ``holders`` and ``user`` return.
    """
    values = {
        "user_id": User.id,
        "type": literal(str(notice.type)),
        "title": literal(notice.title),
        "message": literal(notice.message),
        "content_type": literal(notice.content_type, Notification.content_type.type),
        "content_id": literal(notice.content_id, Notification.content_id.type),
        "created_at": literal(utcnow(), UTCDateTime()),
    }
    rows = select(*values.values()).where(User.id.in_(recipients), User.disabled.is_(False))
    session.execute(insert(Notification).from_select(list(values), rows, include_defaults=False))
    hooks = instance_of(session).hooks
    hooks.masthead_notified(session=session, notice=notice, recipients=recipients)


def list_notifications(
    session: Session, caller: Caller, window: Window, *, unread_only: bool
) -> Page:
    """Return a page of the caller's notifications, newest first, each with its item."""
    mine = select(Notification).where(Notification.user_id == caller.id)
    if unread_only:
        mine = mine.where(Notification.read_at.is_(None))
    total = session.scalar(select(func.count()).select_from(mine.subquery()))
    newest = mine.order_by(Notification.created_at.desc(), Notification.id.desc())
    found = session.scalars(newest.limit(window.limit).offset(window.offset)).all()
    items = items_of(session, found, caller)
    return Page([_describe(each, items) for each in found], total or 0)


def _describe(notification: Notification, items: Mapping[Key, dict[str, Any]]) -> dict[str, Any]:
    """Return the answer of a notification."""
    return {
        "id": notification.id,
        "type": notification.type,
        "title": notification.title,
        "message": notification.message,
        "contentType": notification.content_type,
        "contentId": notification.content_id,
        "item": items.get((notification.content_type, notification.content_id)),
        "read": notification.read,
        "createdAt": notification.created_at,
        "readAt": notification.read_at,
    }


def mark_read(session: Session, user_id: int, notification_id: int) -> None:
    """Mark a user's notification as read; one that is read already keeps its time.

    :raises NotFound: where the user has no such notification.
    """
    found = session.scalar(
        update(Notification)
        .where(Notification.id == notification_id, Notification.user_id == user_id)
        .values(read_at=func.coalesce(Notification.read_at, literal(utcnow(), UTCDateTime())))
        .returning(Notification.id)
    )
    if found is None:
        raise NotFound("Notification not found")


def mark_all_read(session: Session, user_id: int) -> int:
    """Mark a user's unread notifications as read, and return how many there were."""
    marked = session.scalars(
        update(Notification)
        .where(Notification.user_id == user_id, Notification.read_at.is_(None))
        .values(read_at=utcnow())
        .returning(Notification.id)
    )
    return len(marked.all())


def delete_notification(session: Session, user_id: int, notification_id: int) -> None:
    """Delete a user's notification.

    :raises NotFound: where the user has no such notification.
    """
    found = session.scalar(
        delete(Notification)
        .where(Notification.id == notification_id, Notification.user_id == user_id)
        .returning(Notification.id)
    )
    if found is None:
        raise NotFound("Notification not found")


def notices_about(session: Session, address: str) -> list[dict[str, Any]]:
    """Return the distinct titles and messages of notifications that name an e-mail address."""
    told = select(Notification.title, Notification.message).distinct()
    found = session.execute(told.where(_names(address)))
    return [{"title": title, "message": message} for title, message in found]


def _names(address: str) -> ColumnElement[bool]:
    # Messages name a person who is no user as "Name (address)".
    return Notification.message.contains(f"({address})", autoescape=True)


def forget_notices_about(session: Session, address: str) -> None:
    """Delete the notifications that name an e-mail address."""
    session.execute(
        delete(Notification).where(_names(address)).execution_options(synchronize_session=False)
    )
