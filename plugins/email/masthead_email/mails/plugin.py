"""Hooks by which other plugins send mail and read a person's mail history."""

from __future__ import annotations

from sqlalchemy.orm import Session

from masthead import Mail, MailHistory, PersonData, hookimpl
from masthead_email.mails import services


@hookimpl
def masthead_deliver_mail(session: Session, mail: Mail) -> bool:
    """Queue the mail, unless the recipient unsubscribed or is suppressed."""
    return services.deliver(session, mail)


@hookimpl
def masthead_mail_history(session: Session, address: str) -> MailHistory:
    """Return the mail history of an address."""
    return services.mail_history(session, address)


@hookimpl
def masthead_person_data(session: Session, address: str) -> list[PersonData]:
    """Return the mail and the suppression of an address."""
    return services.person_data(session, address)


@hookimpl
def masthead_forget_person(session: Session, address: str) -> None:
    """Anonymise the deliveries to an address."""
    services.forget_person(session, address)
