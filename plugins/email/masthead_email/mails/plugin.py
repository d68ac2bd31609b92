"""How other plugins send mail, and ask who got which."""

from __future__ import annotations

from sqlalchemy.orm import Session

from masthead import Mail, MailRecord, PersonData, hookimpl
from masthead_email.mails import services


@hookimpl
def masthead_deliver_mail(session: Session, mail: Mail) -> bool:
    """Queue it, unless the person mustn't get it."""
    return services.deliver(session, mail)


@hookimpl
def masthead_mail_history(session: Session, address: str) -> list[MailRecord]:
    """What an address got, or was to get."""
    return services.mail_history(session, address)


@hookimpl
def masthead_person_data(session: Session, address: str) -> list[PersonData]:
    """The mails to who has an address."""
    return services.person_data(session, address)


@hookimpl
def masthead_forget_person(session: Session, address: str) -> None:
    """Keep of the mails only that there was one."""
    services.forget_person(session, address)
