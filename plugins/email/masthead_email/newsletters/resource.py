"""The resource of newsletters for staff, and their type for approval."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import Any

from sqlalchemy import and_, inspect
from sqlalchemy.orm import Session

from masthead import (
    APPROVAL_FIELDS,
    CREATED_AT,
    UPDATED_AT,
    USER_REFERENCE,
    Approvable,
    Bool,
    Choice,
    Copies,
    Filter,
    Int,
    ItemSave,
    Nullable,
    Object,
    ProblemCode,
    Refused,
    Resource,
    ScheduledChange,
    Timestamp,
    instance_of,
    snake_case,
    translatable,
    wrong_field,
)
from masthead_email.letters import check_letter, known_names
from masthead_email.mjml.letters import check_content, compile_letter
from masthead_email.newsletters.models import Newsletter
from masthead_email.newsletters.public_letter import PREVIEW
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
_APPROVAL = {
    name if name == "approvalStatus" else snake_case(name): kind
    for name, kind in APPROVAL_FIELDS.items()
}


_STATUS = APPROVAL_FIELDS["approvalStatus"]


def _user(meaning: str) -> Nullable:
    return Nullable(Object(USER_REFERENCE)).described(meaning)


_FILTERS = {
    "approvalStatus": Filter(
        _STATUS.described("Only newsletters in this state of approval."),
        lambda source, it: source.approval_status == it,
    ),
    "status": Filter(
        Choice(*STATUSES).described("Only newsletters in this state of the sending."),
        lambda source, it: source.status == it,
    ),
    "created_by": Filter(
        Int(1).described("Only newsletters that the user with this id created."),
        lambda source, it: source.created_by == it,
    ),
    "edited_by": Filter(
        Int(1).described("Only newsletters whose last edit this user made."),
        lambda source, it: source.edited_by == it,
    ),
}


def _check(session: Session, save: ItemSave) -> None:
    if save.item is not None and save.item.status == SENT:
        raise Refused("Sent newsletters cannot be edited")
    check_content(session, save)


def _refuse_deletion(_session: Session, newsletters: Sequence[Any]) -> None:
    if any(newsletter.status == SENT for newsletter in newsletters):
        raise Refused("Sent newsletters cannot be deleted")


def _end_schedule(_session: Session, newsletter: Any) -> None:
    """Make a newsletter that was to be sent a draft, because its time may have passed."""
    newsletter.status = DRAFT
    newsletter.scheduled_send_at = newsletter.held_at = None


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
    for newsletter in newsletters:
        # It may have been read before the edit.
        session.expire(newsletter, ["editor"])


def _check_audience(session: Session, newsletter: Newsletter) -> None:
    """Refuse a new condition on engagement while none is stored."""
    for name in ("audience_engaged_since", "audience_idle_since"):
        is_new = inspect(newsletter).attrs[name].history.has_changes()
        if is_new and getattr(newsletter, name) and not is_tracking(instance_of(session)):
            message = f"{TRACKING.name} is {NONE}, so nothing is known"
            raise wrong_field(name, ProblemCode.NOT_ALLOWED, message)


NEWSLETTER_TYPE = Approvable(
    name="newsletters",
    label=translatable("Newsletter"),
    model=Newsletter,
    area="email",
    schedule=(
        ScheduledChange(
            "sent",
            Newsletter.__table__.c.scheduled_send_at,
            and_(Newsletter.status == SCHEDULED, Newsletter.approval_status == APPROVED),
            (Newsletter.status != SENT,),
        ),
    ),
)
NEWSLETTERS = Resource(
    name="newsletters",
    label="Newsletter",
    model=Newsletter,
    area="email",
    order=("-created_at",),
    shows={
        "status": Choice(*STATUSES).described("The state of the sending."),
        "sent_at": Nullable(Timestamp()).described("The time at which it was sent."),
        "published": Bool().described("Whether it is approved."),
        "staged": Bool().described("Whether an approved one has an edit that waits for approval."),
        **_APPROVAL,
        "approval_requested_by_user": _user("The user who requested the approval."),
        "approved_by_user": _user("The user who approved it."),
        "rejected_by_user": _user("The user who rejected it."),
        "created_by": _user("The user who created it."),
        "edited_by": _user("The user who made the last edit."),
        "created_at": CREATED_AT,
        "updated_at": UPDATED_AT,
    },
    sorts=("title", "created_at", "updated_at", "scheduled_send_at", "sent_at"),
    custom_filters=_FILTERS,
    computed={
        "created_by": attrgetter("creator"),
        "edited_by": attrgetter("editor"),
        # A newsletter has no live copy, so no edits are staged.
        "staged": lambda _newsletter: False,
    },
    before_change=_check,
    before_delete=_refuse_deletion,
    flush=_flush,
    trash=True,
    before_restore=_end_schedule,
    approval=NEWSLETTER_TYPE,
    copies=Copies(without=("scheduled_send_at",)),
    preview=PREVIEW,
    public_when={"public": True, "status": SENT},
    wire=snake_case,
)
