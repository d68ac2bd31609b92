"""The approval configuration: which roles may approve which content types."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from masthead.audit.services import record
from masthead.auth.approvers import Approver
from masthead.auth.caller import Caller
from masthead.auth.models import Role
from masthead.db.locking import lock_row
from masthead.errors import ProblemCode, wrong_field
from masthead.http.paging import Page, Window


def list_configuration(session: Session, names: Sequence[str], window: Window) -> Page:
    """Return a page of the configuration of the given content types."""
    rows = (
        select(
            Approver.id,
            Approver.content_type.label("content_type"),
            Approver.role_id.label("role_id"),
            Role.name.label("role_name"),
        )
        .join(Role)
        .where(Approver.content_type.in_(names))
        .order_by(Approver.content_type, Approver.id)
    )
    total = session.scalar(select(func.count()).select_from(rows.subquery())) or 0
    return Page(session.execute(rows.limit(window.limit).offset(window.offset)).all(), total)


def add_approver(session: Session, content_type: str, role_id: int, caller: Caller) -> int:
    """Let a role approve a content type.

    :returns: the id of the row, which may exist already.
    :raises Invalid: for an unknown role.
    """
    # Of two equal calls at once, the lock lets the second find the row of the first.
    role = session.get(Role, role_id, with_for_update=True)
    if role is None:
        raise wrong_field("roleId", ProblemCode.UNKNOWN_ID, "Unknown role")
    pair = select(Approver.id).where(
        Approver.content_type == content_type, Approver.role_id == role_id
    )
    existing = session.scalar(pair)
    if existing is not None:
        return existing
    approver = Approver(content_type=content_type, role_id=role_id)
    session.add(approver)
    session.flush()
    record(session, "approval-config.create", caller, content_type, role=role.name)
    return approver.id


def remove_approver(session: Session, approver_id: int, caller: Caller) -> None:
    """Remove a row of the configuration.

    :raises NotFound: where there is no such row.
    """
    approver = lock_row(session, Approver, approver_id)
    role = approver.role.name
    record(session, "approval-config.delete", caller, approver.content_type, role=role)
    session.delete(approver)
