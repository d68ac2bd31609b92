"""Writing the audit log, and reading it."""

from __future__ import annotations

from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session, joinedload

from masthead.audit.models import AuditEntry
from masthead.http.paging import Page, Window


def record(
    session: Session,
    action: str,
    actor_id: int | None,
    *,
    content_type: str | None = None,
    content_id: int | None = None,
    **detail: Any,
) -> AuditEntry:
    """Write an audit entry in the transaction of what it records.

    :param action: ``<thing>.<verb>``, such as ``user.create`` or ``approval.approve``.
    :param actor_id: who did it; None for the command line and for nobody known.
    :param detail: what else a reader needs; never a password, a token, a digest or a body.
    """
    entry = AuditEntry(
        action=action,
        actor_id=actor_id,
        content_type=content_type,
        content_id=content_id,
        detail=detail,
    )
    session.add(entry)
    return entry


def list_entries(
    session: Session,
    window: Window,
    *,
    content_type: str | None = None,
    content_id: int | None = None,
) -> Page:
    """A page of the log, newest first, with the actor of each entry.

    :param content_type: leaves only what happened to items of that type.
    :param content_id: leaves only what happened to items of that id.
    """
    entries = select(AuditEntry)
    if content_type is not None:
        entries = entries.where(AuditEntry.content_type == content_type)
    if content_id is not None:
        entries = entries.where(AuditEntry.content_id == content_id)
    total = session.scalar(select(func.count()).select_from(entries.subquery()))
    actor = joinedload(AuditEntry.actor)
    newest = entries.order_by(AuditEntry.at.desc(), AuditEntry.id.desc()).options(actor)
    return Page(list(session.scalars(newest.limit(window.limit).offset(window.offset))), total or 0)
