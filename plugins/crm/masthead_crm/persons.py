"""Contacts as persons: their personal data, and the merge of two contacts."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from masthead import (
    Caller,
    PersonReport,
    ProblemCode,
    Refused,
    addresses_of_item,
    delete_item,
    fold_name,
    lock_row,
    merge_addresses,
    person_data,
    plugins_not_searched,
    record,
    update_item,
    utcnow,
    wrong_field,
)
from masthead_crm.models import MAX_TAGS, NOTES, Contact, Entry, FollowUp, Stage
from masthead_crm.resource import CONTACTS
from masthead_crm.services.tags import link_tags


def export_person(session: Session, contact: Contact, caller: Caller) -> dict[str, Any]:
    """Return the data of all plugins on the person of a contact, as far as the caller may read it.

    ``leftOut`` names the other kinds of data, and ``notSearched`` the plugins that are disabled.
    """
    person = addresses_of_item(session, CONTACTS, contact, caller)
    if person.addresses:
        report = person_data(session, person.addresses, caller)
    else:
        # No plugin finds a contact without an address.
        data = {CONTACTS.name: [_describe(session, contact, caller)]}
        report = PersonReport(data, (), plugins_not_searched(session))
    return {
        "email": contact.email,
        "addresses": person.addresses,
        "leftOutAddresses": person.taken,
        "data": report.data,
        "leftOut": report.left_out,
        "notSearched": report.not_searched,
    }


def merge(session: Session, contact_id: int, other_id: int, caller: Caller) -> Contact:
    """Merge another contact into a contact, and delete the other.

    The contact gets the values that it lacks; differing values are added to its notes.

    :raises NotFound: where there is no such contact.
    :raises Invalid: where the other contact doesn't exist or is the same.
    """
    contact, other = _lock_both(session, contact_id, other_id)
    values = _merge_values(contact, other)
    merge_addresses(session, CONTACTS, contact, other)
    _move_follow_ups(session, contact.id, other.id)
    session.execute(
        update(Entry)
        .where(Entry.contact_id == other.id)
        .values(contact_id=contact.id)
        .execution_options(synchronize_session=False)
    )
    revision, position = contact.revision, _position(contact)
    _set_newest_stage(session, contact)
    contact.created_at = min(contact.created_at, other.created_at)
    # Deleted first, because the update may give its address to the contact.
    import_key = contact.import_key or other.import_key
    delete_item(session, CONTACTS, other, caller)
    contact.import_key = import_key
    update_item(session, CONTACTS, contact, values, caller)
    if contact.revision == revision and _position(contact) != position:
        contact.revision += 1
        contact.updated_at = utcnow()
    link_tags(session, [contact])
    record(
        session,
        "contacts.merge",
        caller.id,
        content_type=CONTACTS.name,
        content_id=contact.id,
        merged=other.id,
    )
    return contact


def _describe(session: Session, contact: Contact, caller: Caller | None) -> dict[str, Any]:
    values = CONTACTS.describe(session, contact, caller)
    shown: dict[str, Any] = CONTACTS.answer(detail=True).dump(values)
    return shown


def _lock_both(session: Session, contact_id: int, other_id: int) -> tuple[Contact, Contact]:
    if contact_id == other_id:
        raise wrong_field("otherId", ProblemCode.NOT_ALLOWED, "Is the same contact")
    ids = sorted((contact_id, other_id))
    # Ordered, so that two merges of the same contacts don't deadlock.
    rows = select(Contact).where(Contact.id.in_(ids)).order_by(Contact.id).with_for_update()
    found = {contact.id: contact for contact in session.scalars(rows)}
    if contact_id not in found:
        lock_row(session, Contact, contact_id)
    if other_id not in found:
        raise wrong_field("otherId", ProblemCode.UNKNOWN_ID, "There is no such contact")
    return found[contact_id], found[other_id]


def _merge_values(contact: Contact, other: Contact) -> dict[str, Any]:
    values: dict[str, Any] = {}
    differing = []
    for name in ("name", "email", "phone", "status"):
        own, theirs = getattr(contact, name), getattr(other, name)
        if not own and theirs:
            values[name] = theirs
        elif theirs and theirs != own:
            differing.append(f"{name}: {theirs}")
    tags = {fold_name(tag): tag for tag in (*other.tags, *contact.tags)}
    values["tags"] = list(dict.fromkeys([*contact.tags, *tags.values()]))
    if len(values["tags"]) > MAX_TAGS:
        raise Refused(f"tags: Together they have more than {MAX_TAGS}")
    values["notes"] = _join_notes([contact.notes, other.notes, "\n".join(differing)])
    return values


def _join_notes(texts: Iterable[str | None]) -> str | None:
    notes = "\n\n".join(text for text in texts if text)
    if len(notes) > NOTES:
        raise Refused(f"notes: Together they have more than {NOTES} characters")
    return notes or None


def _move_follow_ups(session: Session, contact_id: int, other_id: int) -> None:
    """Move follow-ups to a contact; complete the later of two that are open for one rule."""
    rows = (
        select(FollowUp.id, FollowUp.rule_id)
        .where(FollowUp.contact_id.in_((contact_id, other_id)), FollowUp.completed_at.is_(None))
        .order_by(FollowUp.due_at, FollowUp.id)
    )
    seen: set[int] = set()
    later = []
    for number, rule_id in session.execute(rows):
        if rule_id in seen:
            later.append(number)
        seen.add(rule_id)
    session.execute(
        update(FollowUp)
        .where(FollowUp.id.in_(later))
        .values(completed_at=utcnow())
        .execution_options(synchronize_session=False)
    )
    session.execute(
        update(FollowUp)
        .where(FollowUp.contact_id == other_id)
        .values(contact_id=contact_id)
        .execution_options(synchronize_session=False)
    )


def _position(contact: Contact) -> tuple[int | None, datetime]:
    """Return the stage and the time by which lists filter and order a contact."""
    return contact.stage_id, contact.created_at


def _set_newest_stage(session: Session, contact: Contact) -> None:
    """Set the stage of the newest progression entry."""
    newest = (
        select(Stage)
        .join(Entry, Entry.stage_id == Stage.id)
        .where(Entry.contact_id == contact.id)
        .order_by(Entry.created_at.desc(), Entry.id.desc())
        .limit(1)
    )
    stage = session.scalar(newest)
    if stage is not None:
        contact.stage = stage
