"""Follow-ups: created by rules, and completed by mails, interactions or staff."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Row, insert, select, update
from sqlalchemy.orm import Session

from masthead import MOST_ROWS, Mail, NotFound, Refused, fold, send_mail, utcnow
from masthead_crm.models import INACTIVE, Contact, FollowUp, Rule
from masthead_crm.services.templates import report_missing_templates

PENDING, OVERDUE = "pending", "overdue"
MAX_COMPLETED = 100
BATCH = 50
"""The number of mails that are handed over in one transaction."""
MAX_DELAY = timedelta(days=1)
"""The time after which a mail isn't sent any more by a rule that starts sending mails."""


def create_follow_ups(session: Session, contact_id: int, stage_id: int) -> None:
    """Create the follow-ups of a stage's active rules for a locked contact that has reached it."""
    is_open = select(FollowUp.rule_id).where(
        FollowUp.contact_id == contact_id, FollowUp.completed_at.is_(None)
    )
    rules = select(Rule.id, Rule.days_after).where(
        Rule.trigger_stage_id == stage_id, Rule.active.is_(True), Rule.id.not_in(is_open)
    )
    now = utcnow()
    created = [
        {
            "contact_id": contact_id,
            "rule_id": rule_id,
            "reached_at": now,
            "due_at": now + timedelta(days=days),
        }
        for rule_id, days in session.execute(rules.with_for_update(read=True, key_share=True))
    ]
    if created:
        session.execute(insert(FollowUp), created)


def complete_by_interaction(session: Session, contact_id: int, interaction: str) -> None:
    """Complete the open follow-ups of a locked contact for a type of interaction."""
    found = session.execute(
        select(FollowUp.id, Rule.catchup_type)
        .join(Rule)
        .where(FollowUp.contact_id == contact_id, FollowUp.completed_at.is_(None))
    )
    _close(session, [number for number, wanted in found if fold(wanted) == fold(interaction)])


def complete(session: Session, follow_up_id: int) -> None:
    """Complete a follow-up.

    :raises NotFound: where there is no such follow-up.
    :raises Refused: where it is completed already.
    """
    done = session.execute(
        update(FollowUp)
        .where(FollowUp.id == follow_up_id, FollowUp.completed_at.is_(None))
        .values(completed_at=utcnow())
        .execution_options(synchronize_session=False)
    )
    if done.rowcount:  # type: ignore[attr-defined]  # a cursor result has it
        return
    if session.scalar(select(FollowUp.id).where(FollowUp.id == follow_up_id)) is None:
        raise NotFound
    raise Refused("It is completed already")


def open_follow_ups(session: Session, contact_id: int) -> list[dict[str, Any]]:
    """Return the open follow-ups of a contact, the most urgent first."""
    now = utcnow()
    rows = _items().where(FollowUp.contact_id == contact_id, FollowUp.completed_at.is_(None))
    return [
        {**_describe(row), "status": OVERDUE if row.due_at <= now else PENDING}
        for row in session.execute(rows.order_by(FollowUp.due_at, FollowUp.id))
    ]


def dashboard(session: Session) -> dict[str, list[dict[str, Any]]]:
    """Return the pending, the overdue and the last completed follow-ups."""
    now = utcnow()
    is_open = FollowUp.completed_at.is_(None)
    waiting = _items().where(is_open).order_by(FollowUp.due_at, FollowUp.id).limit(MOST_ROWS)
    completed = _items().where(FollowUp.completed_at.is_not(None))
    newest = completed.order_by(FollowUp.completed_at.desc(), FollowUp.id.desc())
    found = {
        PENDING: waiting.where(FollowUp.due_at > now),
        OVERDUE: waiting.where(FollowUp.due_at <= now),
        "completed": newest.limit(MAX_COMPLETED),
    }
    return {name: [_describe(r) for r in session.execute(rows)] for name, rows in found.items()}


def send_due_mails(session: Session) -> bool:
    """Hand over a batch of due mails of active rules with a template, each once.

    The follow-up stays open for staff where the contact is inactive, has no address or has
    unsubscribed.

    :returns: whether more mails may be due.
    """
    now = utcnow()
    due = _due(session, now)
    report_missing_templates(session, {row.rule_id for row in due}, now)
    sent = [row.id for row in due if _deliver(session, row)]
    tried = [row.id for row in due]
    session.execute(
        update(FollowUp)
        .where(FollowUp.id.in_(tried))
        .values(mail_tried_at=now)
        .execution_options(synchronize_session=False)
    )
    _close(session, sent)
    return len(due) == BATCH


def leave_to_staff(session: Session, rule_ids: Sequence[int]) -> None:
    """Send no mails for follow-ups of some rules that have been due for long.

    Otherwise a rule that gets a template, or is switched on again, would send a mail for each
    follow-up that was never completed.
    """
    now = utcnow()
    session.execute(
        update(FollowUp)
        .where(FollowUp.rule_id.in_(rule_ids), FollowUp.due_at <= now - MAX_DELAY)
        .where(FollowUp.completed_at.is_(None), FollowUp.mail_tried_at.is_(None))
        .values(mail_tried_at=now)
        .execution_options(synchronize_session=False)
    )


def _due(session: Session, now: datetime) -> Sequence[Any]:
    # Locked, so that they aren't completed meanwhile; another worker skips them.
    rows = (
        select(
            FollowUp.id,
            FollowUp.rule_id,
            Rule.email_template_id,
            Contact.name,
            Contact.email,
            Contact.status,
        )
        .join(Rule, Rule.id == FollowUp.rule_id)
        .join(Contact, Contact.id == FollowUp.contact_id)
        .where(FollowUp.completed_at.is_(None), FollowUp.mail_tried_at.is_(None))
        .where(FollowUp.due_at <= now, Rule.active.is_(True), Rule.email_template_id.is_not(None))
        .order_by(FollowUp.due_at, FollowUp.id)
        .limit(BATCH)
    )
    return session.execute(rows.with_for_update(of=FollowUp, skip_locked=True)).all()


def _deliver(session: Session, row: Row[Any]) -> bool:
    if row.email is None or row.status == INACTIVE:
        return False
    mail = Mail(
        to=row.email,
        kind="follow-up",
        template_id=row.email_template_id,
        variables={"name": row.name, "email": row.email},
    )
    return send_mail(session, mail)


def _close(session: Session, ids: list[int]) -> None:
    session.execute(
        update(FollowUp)
        .where(FollowUp.id.in_(ids), FollowUp.completed_at.is_(None))
        .values(completed_at=utcnow())
        .execution_options(synchronize_session=False)
    )


def _items() -> Any:
    return (
        select(
            FollowUp.id,
            FollowUp.contact_id,
            FollowUp.due_at,
            Contact.name.label("contact_name"),
            Rule.name.label("rule_name"),
            Rule.catchup_type,
        )
        .join(Rule, Rule.id == FollowUp.rule_id)
        .join(Contact, Contact.id == FollowUp.contact_id)
    )


def _describe(row: Row[Any]) -> dict[str, Any]:
    return {
        "id": row.id,
        "contactId": row.contact_id,
        "contactName": row.contact_name,
        "ruleName": row.rule_name,
        "dueDate": row.due_at,
        "catchupType": row.catchup_type,
    }
