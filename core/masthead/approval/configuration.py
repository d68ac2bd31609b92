"""The approval configuration: which roles may approve which content types."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from masthead.audit.services import record
from masthead.auth.approvers import Approver
from masthead.auth.caller import Caller
from masthead.auth.models import Role
from masthead.errors import Invalid, NotFound
from masthead.http.paging import Page, Window


def list_configuration(session: Session, names: Sequence[str], window: Window) -> Page:
    """A page of the rows of the content types named."""
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

    :returns: the row's id, also where the pair exists already.
    :raises Invalid: for an unknown role.
    """
    # The lock makes two equal calls at once wait for each other, so that they get one row.
    role = session.get(Role, role_id, with_for_update=True)
    if role is None:
        raise Invalid("roleId: Unknown role")
    pair = select(Approver.id).where(
        Approver.content_type == content_type, Approver.role_id == role_id
    )
    existing = session.scalar(pair)
    if existing is not None:
        return existing
    approver = Approver(content_type=content_type, role_id=role_id)
    session.add(approver)
    session.flush()
    _record(session, "create", content_type, role, caller)
    return approver.id


def remove_approver(session: Session, approver_id: int, caller: Caller) -> None:
    """Take a row away.

    :raises NotFound: where there is none.
    """
    approver = session.get(Approver, approver_id, with_for_update=True)
    if approver is None:
        raise NotFound
    _record(session, "delete", approver.content_type, approver.role, caller)
    session.delete(approver)


def _record(session: Session, verb: str, content_type: str, role: Role, caller: Caller) -> None:
    action = f"approval-config.{verb}"
    record(session, action, caller.id, content_type=content_type, role=role.name)
