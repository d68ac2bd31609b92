"""Saving and locking contacts, and the details of one contact."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from sqlalchemy import ColumnElement, and_, exists, select, union_all
from sqlalchemy.orm import Session, aliased

from masthead import (
    Caller,
    ProblemCode,
    addresses_of_item,
    fold,
    instance_of,
    is_suppressed,
    read_deliverability,
    split_by_permission,
    unique,
    wrong_field,
)
from masthead_crm.models import Contact, Stage
from masthead_crm.services.follow_ups import open_follow_ups
from masthead_crm.services.matching import mailbox_key, name_key, phone_key
from masthead_crm.services.progression import list_entries
from masthead_crm.services.tags import link_tags

TAKEN = "A contact with this email already exists"
_MAX_MAILS = 100


def email_key(address: str | None) -> str | None:
    """Return an address in the form that is compared."""
    return fold(address) if address else None


def flush_contacts(session: Session, contacts: Sequence[Contact]) -> None:
    """Save new or changed contacts with the links to their tags.

    :raises Invalid: where another contact has the address.
    """
    for contact in contacts:
        contact.email_key = email_key(contact.email)
        contact.mailbox_key = mailbox_key(contact.email)
        contact.phone_key = phone_key(contact.phone)
        contact.name_key = name_key(contact.name)
    with unique(
        session,
        wrong_field("email", ProblemCode.ALREADY_EXISTS, TAKEN, named=False),
        Contact.email_key,
    ):
        session.add_all(contacts)
    link_tags(session, contacts)


def is_at_stage(source: Any, name: str) -> ColumnElement[bool]:
    """Return the condition that contacts are at the stage with this name."""
    stage = select(Stage.id).where(Stage.name_key == fold(name))
    condition: ColumnElement[bool] = source.stage_id == stage.scalar_subquery()
    return condition


def is_deliverable(session: Session, source: Any, wanted: bool) -> ColumnElement[bool]:
    """Return the condition that mail reaches contacts, or that it doesn't."""
    # The list may be selected from links, which have no addresses.
    linked = source is not Contact
    contact = aliased(Contact) if linked or not wanted else Contact
    # A condition for each spelling: PostgreSQL joins EXISTS only outside of OR, and otherwise
    # looks up the address of each of millions of contacts.
    suppressed = [is_suppressed(session, each) for each in (contact.email, contact.email_key)]
    number = source.item_id if linked else Contact.id
    if not wanted:
        conditions = (contact.email_key.is_(None), *suppressed)
        return cast(
            "ColumnElement[bool]",
            number.in_(union_all(*(select(contact.id).where(each) for each in conditions))),
        )
    reached = and_(contact.email_key.is_not(None), *(~each for each in suppressed))
    return exists().where(contact.id == number, reached) if linked else reached


def look_up(
    session: Session, contacts: Sequence[Contact], caller: Caller | None
) -> list[dict[str, Any]]:
    """Return for each contact whether mail reaches its address."""
    return read_deliverability(session, [contact.email for contact in contacts], caller)


def read_details(session: Session, contact: Contact, caller: Caller | None) -> Mapping[str, Any]:
    """Return the newest progression entries, mails and open follow-ups of a contact.

    ``leftOut`` names ``emailHistory`` where the caller may not read mails.
    """
    instance = instance_of(session)
    hook = instance.hooks.masthead_mail_history
    person = addresses_of_item(session, instance.resources["contacts"], contact, caller)
    answers = [hook(session=session, address=each) for each in person.addresses]
    histories = [history for each in answers for history in each]
    readable, withheld = split_by_permission(histories, caller)
    mails = [mail for history in readable for mail in history.mails]
    return {
        "progression": list_entries(session, contact.id).items,
        "emailHistory": sorted(mails, key=lambda mail: mail.id, reverse=True)[:_MAX_MAILS],
        "followUps": open_follow_ups(session, contact.id),
        "leftOut": ["emailHistory"] if withheld else [],
    }
