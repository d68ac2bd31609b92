"""Writing the audit log."""

from __future__ import annotations

from typing import Any

from sqlalchemy.orm import Session

from masthead.audit.models import AuditEntry


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
