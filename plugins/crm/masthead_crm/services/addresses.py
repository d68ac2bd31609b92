"""The addresses of a contact: its own, and those of contacts that were merged into it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import ColumnElement, exists, insert, or_, select
from sqlalchemy.orm import Session

from masthead import fold
from masthead_crm.models import Contact, MergedAddress


def email_key(address: str | None) -> str | None:
    """Return an address in the form that is compared."""
    return fold(address) if address else None


def addresses_of(session: Session, contact: Contact) -> list[str]:
    """Return the addresses of a contact, its own first."""
    own = [contact.email] if contact.email else []
    merged = select(MergedAddress.email).where(MergedAddress.contact_id == contact.id)
    others = session.scalars(merged.order_by(MergedAddress.email_key))
    return list(dict.fromkeys([*own, *others]))


def has_address(address: str) -> ColumnElement[bool]:
    """Return the condition that an address belongs to a contact, or was merged into it."""
    key = fold(address)
    merged = select(MergedAddress.contact_id).where(MergedAddress.email_key == key)
    return or_(Contact.email_key == key, Contact.id.in_(merged))


def is_merged(key: ColumnElement[Any]) -> ColumnElement[bool]:
    """Return the condition that an address, as it is compared, was merged into a contact."""
    return exists().where(MergedAddress.email_key == key)


def add_addresses(session: Session, contact: Contact, addresses: Iterable[str]) -> None:
    """Store further addresses of a contact."""
    known = {fold(address) for address in addresses_of(session, contact)}
    added = {fold(address): address for address in addresses}
    rows = [
        {"contact_id": contact.id, "email_key": key, "email": address}
        for key, address in added.items()
        if key not in known
    ]
    if rows:
        session.execute(insert(MergedAddress), rows)
