"""Writing contacts, and what a contact's page shows beside the contact."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session

from masthead import MailRecord, NotFound, fold, instance_of, unique
from masthead_crm.models import Contact, Stage
from masthead_crm.services.addresses import addresses_of
from masthead_crm.services.follow_ups import open_follow_ups
from masthead_crm.services.progression import list_entries
from masthead_crm.services.tags import link_tags

TAKEN = "A contact with this email already exists"
_MOST_MAILS = 100


def flush_contacts(session: Session, contacts: Sequence[Contact]) -> None:
    """Write contacts, new or changed, and the tags that they are found by.

    :raises Invalid: where another contact has the address.
    """
    for contact in contacts:
        contact.email_key = fold(contact.email) if contact.email else None
    with unique(session, TAKEN, Contact.email_key):
        session.add_all(contacts)
    link_tags(session, contacts)


def lock_contact(session: Session, contact_id: int) -> Contact:
    """A contact, read afresh and locked until the transaction ends.

    :raises NotFound: where there is none.
    """
    contact = session.get(Contact, contact_id, with_for_update=True, populate_existing=True)
    if contact is None:
        raise NotFound
    return contact


def on_stage(source: Any, name: str) -> ColumnElement[bool]:
    """Whether contacts stand on the stage of that name; on one that isn't there nobody does."""
    stage = select(Stage.id).where(Stage.name_key == fold(name))
    condition: ColumnElement[bool] = source.stage_id == stage.scalar_subquery()
    return condition


def read_details(session: Session, contact: Contact) -> Mapping[str, Any]:
    """The newest steps, mails and open follow-ups of a contact."""
    return {
        "progression": list_entries(session, contact.id).items,
        "emailHistory": _mails(session, contact),
        "followUps": open_follow_ups(session, contact.id),
    }


def _mails(session: Session, contact: Contact) -> list[MailRecord]:
    hook = instance_of(session).hooks.masthead_mail_history
    told = [hook(session=session, address=each) for each in addresses_of(session, contact)]
    found = [mail for answers in told for mails in answers for mail in mails]
    return sorted(found, key=lambda mail: mail.id, reverse=True)[:_MOST_MAILS]
