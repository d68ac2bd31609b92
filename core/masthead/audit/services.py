"""Writing and reading the audit log."""

from __future__ import annotations

from typing import Any, Protocol

from sqlalchemy import func, select
from sqlalchemy.orm import Session, joinedload

from masthead.audit.models import AuditEntry
from masthead.http.paging import Page, Window
from masthead.instance import instance_of

_CREDENTIAL = "masthead.credential"
"""The key in ``session.info`` of the name of the credential with which a program acts."""


class Actor(Protocol):
    """The caller of a request, or a user's row."""

    @property
    def id(self) -> int:
        """The user's id."""


def record(
    session: Session,
    action: str,
    actor: Actor | int | None,
    content_type: str | None = None,
    item: Any = None,
    *,
    content_id: int | None = None,
    **detail: Any,
) -> AuditEntry:
    """Write an audit entry in the transaction of the change that it records.

    :param action: the name of an action that a plugin declares by ``masthead_audit_actions``.
    :param actor: the caller, the user or the user's id; None for the command line and for an
        unknown actor.
    :param content_type: the name of the item's content type or resource.
    :param item: the changed row, which has an ``id``; a new row has been flushed.
    :param content_id: the item's id, where there is no row to pass.
    :param detail: further facts for the reader; never a password, a token, a hash or a body.
    :raises LookupError: if no enabled plugin declares the action.
    """
    if action not in instance_of(session).audit_actions:
        raise LookupError(f"no plugin declares {action!r}: return it by masthead_audit_actions")
    if (credential := session.info.get(_CREDENTIAL)) is not None:
        detail["credential"] = credential
    actor_id = actor if actor is None or isinstance(actor, int) else actor.id
    item_id = content_id if item is None else item.id
    if isinstance(item_id, str):
        # The column holds integers, and items of some resources are identified by a name.
        detail["id"], item_id = item_id, None
    entry = AuditEntry(
        action=action,
        actor_id=actor_id,
        content_type=content_type,
        content_id=item_id,
        detail=detail,
    )
    session.add(entry)
    return entry


def note_credential(session: Session, name: str) -> None:
    """Let the later entries of a session name the credential with which a program acts."""
    session.info[_CREDENTIAL] = name


def list_entries(
    session: Session,
    window: Window,
    *,
    content_type: str | None = None,
    content_id: int | None = None,
) -> Page:
    """Return a page of the log, newest first, with the actor of each entry.

    :param content_type: keeps only the entries about items of this type.
    :param content_id: keeps only the entries about items with this id.
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
