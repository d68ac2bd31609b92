"""The steps of contacts from stage to stage."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from masthead import MOST_ROWS, Caller, Invalid, NotFound, Page, User, Window, utcnow
from masthead_crm.models import Contact, Entry, Stage
from masthead_crm.services.follow_ups import complete_by_talk, make_follow_ups
from masthead_crm.services.stages import use_stages
from masthead_crm.services.tags import link_tags

EVERYTHING = Window(MOST_ROWS, 0)


def list_entries(session: Session, contact_id: int, window: Window = EVERYTHING) -> Page:
    """The steps of a contact, the newest first, with who logged each.

    :raises NotFound: where there is no such contact.
    """
    counted = select(func.count()).select_from(Entry).where(Entry.contact_id == contact_id)
    total = session.scalar(counted) or 0
    if not total and session.get(Contact, contact_id) is None:
        raise NotFound
    rows = (
        select(Entry, User.id, User.username)
        .outerjoin(User, User.id == Entry.created_by_id)
        .where(Entry.contact_id == contact_id)
        .order_by(Entry.created_at.desc(), Entry.id.desc())
    )
    found = session.execute(rows.limit(window.limit).offset(window.offset)).all()
    return Page([_shown(entry, user_id, name) for entry, user_id, name in found], total)


def add_entry(
    session: Session, contact: Contact, sent: Mapping[str, Any], caller: Caller
) -> dict[str, Any]:
    """Log a step of a locked contact, who stands on its stage then.

    What was to be talked about with them is done where this was that talk, and what rules want to
    follow begins where they weren't on the stage before.

    :param sent: the checked body by wire name.
    :raises Invalid: where there is no such stage.
    """
    stages = use_stages(session, [sent["stageId"]])
    if not stages:
        raise Invalid("stageId: There is no such stage")
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
        complete_by_talk(session, contact.id, entry.interaction_type)
    if contact.stage_id != stage.id:
        _move(session, contact, stage)
    session.flush()
    return _shown(entry, caller.id, caller.username)


def _move(session: Session, contact: Contact, stage: Stage) -> None:
    contact.stage = stage
    contact.revision += 1
    contact.updated_at = utcnow()
    session.flush()
    link_tags(session, [contact])
    make_follow_ups(session, contact.id, stage.id)


def _shown(entry: Entry, user_id: int | None, username: str | None) -> dict[str, Any]:
    return {
        "id": entry.id,
        "stage": entry.stage,
        "interactionType": entry.interaction_type,
        "notes": entry.notes,
        "createdAt": entry.created_at,
        "createdBy": None if user_id is None else {"id": user_id, "username": username},
    }
