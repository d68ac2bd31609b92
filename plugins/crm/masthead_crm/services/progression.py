"""The progression of contacts: entries that lead from stage to stage."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from masthead import (
    MOST_ROWS,
    Caller,
    NotFound,
    Page,
    ProblemCode,
    User,
    Window,
    utcnow,
    wrong_field,
)
from masthead_crm.models import Contact, Entry, Stage
from masthead_crm.services.follow_ups import complete_by_interaction, create_follow_ups
from masthead_crm.services.stages import lock_stages
from masthead_crm.services.tags import link_tags

ALL = Window(MOST_ROWS, 0)


def list_entries(session: Session, contact_id: int, window: Window = ALL) -> Page:
    """Return the progression entries of a contact with their authors, the newest first.

    :raises NotFound: where there is no such contact.
    """
    counted = select(func.count()).select_from(Entry).where(Entry.contact_id == contact_id)
    total = session.scalar(counted) or 0
    if not total and session.get(Contact, contact_id) is None:
        raise NotFound
    rows = (
        select(Entry, User)
        .outerjoin(User, User.id == Entry.created_by_id)
        .where(Entry.contact_id == contact_id)
        .order_by(Entry.created_at.desc(), Entry.id.desc())
    )
    found = session.execute(rows.limit(window.limit).offset(window.offset)).all()
    return Page([_describe(entry, author) for entry, author in found], total)


def add_entry(
    session: Session, contact: Contact, sent: Mapping[str, Any], caller: Caller
) -> dict[str, Any]:
    """Add a progression entry and set the contact's stage.

    The entry completes open follow-ups of its interaction type. Where the stage changes, the rules
    of the new stage create follow-ups.

    :param contact: a locked contact.
    :param sent: the checked body by wire name.
    :raises Invalid: where there is no such stage.
    """
    stages = lock_stages(session, [sent["stageId"]])
    if not stages:
        raise wrong_field("stageId", ProblemCode.UNKNOWN_ID, "There is no such stage")
    stage = stages[0]
    entry = Entry(
        contact_id=contact.id,
        stage_id=stage.id,
        stage=stage.name,
        interaction_type=sent.get("interactionType") or None,
        notes=sent.get("notes") or None,
        created_by_id=caller.id,
    )
    session.add(entry)
    if entry.interaction_type:
        complete_by_interaction(session, contact.id, entry.interaction_type)
    if contact.stage_id != stage.id:
        _change_stage(session, contact, stage)
    session.flush()
    return _describe(entry, session.get(User, caller.id))


def _change_stage(session: Session, contact: Contact, stage: Stage) -> None:
    contact.stage = stage
    contact.revision += 1
    contact.updated_at = utcnow()
    session.flush()
    link_tags(session, [contact])
    create_follow_ups(session, contact.id, stage.id)


def _describe(entry: Entry, author: User | None) -> dict[str, Any]:
    return {
        "id": entry.id,
        "stage": entry.stage,
        "interactionType": entry.interaction_type,
        "notes": entry.notes,
        "createdAt": entry.created_at,
        "createdBy": author,
    }
