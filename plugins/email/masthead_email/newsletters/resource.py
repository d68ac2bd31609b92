"""The resource of newsletters for staff, and their type for approval."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import Any

from sqlalchemy import inspect
from sqlalchemy.orm import Session

from masthead import (
    USER_SUMMARY,
    Approvable,
    Bool,
    Choice,
    Filter,
    Int,
    Invalid,
    Nullable,
    Refused,
    Resource,
    Str,
    Timestamp,
    instance_of,
    snake_case,
    translatable,
)
from masthead_email.letters import check_letter, known_names
from masthead_email.mjml.letters import check_content, compile_letter
from masthead_email.newsletters.models import Newsletter
from masthead_email.rendering.link_placeholders import ARCHIVE
from masthead_email.scheduling import (
    DRAFT,
    SCHEDULED,
    SENT,
    STATUSES,
    check_time,
    time_changed,
)
from masthead_email.settings import NONE, TRACKING
from masthead_email.subscribers.engagement import is_tracking

APPROVED = "approved"
_STATUS = Choice("draft", "pending", APPROVED, "rejected")
_REASON = 2_000
_TIME, _USER = Nullable(Timestamp()), Nullable(Int())
_PERSON = Nullable(USER_SUMMARY)


def _refuse_editing(_session: Session, newsletter: Any) -> None:
    if newsletter.status == SENT:
        raise Refused("Sent newsletters cannot be edited")


def _refuse_deletion(_session: Session, newsletter: Any) -> None:
    if newsletter.status == SENT:
        raise Refused("Sent newsletters cannot be deleted")


def _flush(session: Session, newsletters: Sequence[Any]) -> None:
    known = known_names(session, ARCHIVE)
    for newsletter in newsletters:
        compile_letter(newsletter)
        check_letter(newsletter, known)
        _check_audience(session, newsletter)
        if time_changed(newsletter):
            check_time(newsletter.scheduled_send_at)
            newsletter.held_at = None
        if newsletter.status == SCHEDULED and newsletter.scheduled_send_at is None:
            newsletter.status = DRAFT
    session.add_all(newsletters)
    session.flush()


def _check_audience(session: Session, newsletter: Newsletter) -> None:
    """Refuse a new condition on engagement while none is stored."""
    for name in ("audience_engaged_since", "audience_idle_since"):
        is_new = inspect(newsletter).attrs[name].history.has_changes()
        if is_new and getattr(newsletter, name) and not is_tracking(instance_of(session)):
            raise Invalid(f"{name}: {TRACKING.name} is {NONE}, so nothing is known")


NEWSLETTER_TYPE = Approvable(
    name="newsletters", label=translatable("Newsletter"), model=Newsletter, area="email"
)
NEWSLETTERS = Resource(
    name="newsletters",
    label="Newsletter",
    model=Newsletter,
    area="email",
    order=("-created_at",),
    shows={
        "status": Choice(*STATUSES),
        "sent_at": _TIME,
        "published": Bool(),
        "staged": Bool(),
        "approvalStatus": _STATUS,
        "approval_requested_at": _TIME,
        "approval_requested_by": _USER,
        "approval_requested_by_user": _PERSON,
        "approved_at": _TIME,
        "approved_by": _USER,
        "approved_by_user": _PERSON,
        "rejected_at": _TIME,
        "rejected_by": _USER,
        "rejected_by_user": _PERSON,
        "rejection_reason": Nullable(Str(_REASON)),
        "approval_comment": Nullable(Str(_REASON)),
        "created_by": _PERSON,
        "created_at": Timestamp(),
        "updated_at": Timestamp(),
    },
    sorts=("title", "created_at", "updated_at", "scheduled_send_at", "sent_at"),
    custom_filters={
        "approvalStatus": Filter(_STATUS, lambda source, it: source.approval_status == it),
        "status": Filter(Choice(*STATUSES), lambda source, it: source.status == it),
        "created_by": Filter(Int(1), lambda source, it: source.created_by == it),
        "updated_since": Filter(Timestamp(), lambda source, it: source.updated_at >= it),
    },
    computed={"created_by": attrgetter("creator")},
    check=check_content,
    flush=_flush,
    before_update=_refuse_editing,
    before_delete=_refuse_deletion,
    approval=NEWSLETTER_TYPE,
    wire=snake_case,
)
