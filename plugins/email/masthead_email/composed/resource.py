"""The resource of composed e-mails for staff."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy.orm import Session

from masthead import (
    CREATED_AT,
    UPDATED_AT,
    Choice,
    ItemSave,
    Nullable,
    ProblemCode,
    Refused,
    Resource,
    Timestamp,
    snake_case,
    wrong_field,
)
from masthead_email.composed.models import ComposedEmail
from masthead_email.letters import check_letter, known_names
from masthead_email.mjml.letters import check_content, compile_letter
from masthead_email.permissions import ADDRESSES
from masthead_email.scheduling import (
    DRAFT,
    SCHEDULED,
    SENT,
    STATUSES,
    check_time,
    time_changed,
)


def _check(session: Session, save: ItemSave) -> None:
    if save.item is not None and save.item.status == SENT:
        raise Refused("Sent emails cannot be edited")
    check_content(session, save)
    if not save.after["recipient_emails"]:
        raise wrong_field("recipient_emails", ProblemCode.TOO_FEW, "At least one", limit=1)


def _refuse_deletion(_session: Session, emails: Sequence[Any]) -> None:
    if any(email.status == SENT for email in emails):
        raise Refused("Sent emails cannot be deleted")


def _flush(session: Session, emails: Sequence[Any]) -> None:
    known = known_names(session)
    for email in emails:
        compile_letter(email)
        check_letter(email, known)
        if time_changed(email):
            check_time(email.scheduled_send_at)
            email.status = DRAFT if email.scheduled_send_at is None else SCHEDULED
    session.add_all(emails)
    session.flush()


COMPOSED_EMAILS = Resource(
    name="compose-emails",
    label="Composed email",
    model=ComposedEmail,
    area="email",
    read_permission=ADDRESSES,
    order=("-created_at",),
    personal=("recipient_emails",),
    shows={
        "status": Choice(*STATUSES).described("The state of the sending."),
        "sent_at": Nullable(Timestamp()).described("The time at which it was sent."),
        "created_at": CREATED_AT,
        "updated_at": UPDATED_AT,
    },
    before_change=_check,
    before_delete=_refuse_deletion,
    flush=_flush,
    wire=snake_case,
)
