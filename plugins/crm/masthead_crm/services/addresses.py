"""The addresses of a contact: its own, and those of contacts that were merged into it."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import ColumnElement, insert, or_, select
from sqlalchemy.orm import Session

from masthead import fold
from masthead_crm.models import Contact, MergedAddress


def addresses_of(session: Session, contact: Contact) -> list[str]:
    """By what addresses somebody is known, their own first."""
    own = [contact.email] if contact.email else []
    merged = select(MergedAddress.email).where(MergedAddress.contact_id == contact.id)
    others = session.scalars(merged.order_by(MergedAddress.email_key))
    return list(dict.fromkeys([*own, *others]))


def known_by(address: str) -> ColumnElement[bool]:
    """Whether contacts have an address, or one that was merged into them had it."""
    key = fold(address)
    merged = select(MergedAddress.contact_id).where(MergedAddress.email_key == key)
    return or_(Contact.email_key == key, Contact.id.in_(merged))


def keep_addresses(session: Session, contact: Contact, addresses: Iterable[str]) -> None:
    """Let somebody be known by more addresses."""
    known = {fold(address) for address in addresses_of(session, contact)}
    kept = {fold(address): address for address in addresses}
    rows = [
        {"contact_id": contact.id, "email_key": key, "email": address}
        for key, address in kept.items()
        if key not in known
    ]
    if rows:
        session.execute(insert(MergedAddress), rows)
