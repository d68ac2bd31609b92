"""The hooks about e-mail, which one plugin sends and others cause."""

from __future__ import annotations

from typing import TYPE_CHECKING

from masthead.hookspecs.markers import hookspec

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy.orm import Session

    from masthead.ports.mail import Mail, MailHistory, MailSuppressions

# pluggy calls only implementations, so the bodies are empty in spite of the return types.
# mypy: disable-error-code="empty-body"


@hookspec(firstresult=True)
def masthead_deliver_mail(session: Session, mail: Mail) -> bool | None:
    """Called when core or a plugin sends an e-mail.

    :param session: the session of the transaction; the e-mail is sent after its commit.
    :param mail: the e-mail with its recipient.
    :return: True if it will be sent, False if it must not be sent, such as to a suppressed address.
        The first answer counts; None if no plugin sends e-mail.

    Raising rolls the transaction back.
    """


@hookspec
def masthead_mail_templates(session: Session, ids: Sequence[int]) -> list[int]:
    """Called when staff choose a template for automatic e-mails.

    :param session: a session that writes.
    :param ids: ids of templates.
    :return: the ids that exist, whose templates can't be deleted before the commit.

    Raising fails the request.
    """


@hookspec
def masthead_mail_history(session: Session, address: str) -> MailHistory:
    """Called when staff view a person.

    :param session: a session for reading.
    :param address: the person's address, as ``Email`` stores it.
    :return: the latest e-mails to the address, with the permission that reading them needs.

    Raising fails the request.
    """


@hookspec
def masthead_suppressions(session: Session, addresses: Sequence[str]) -> MailSuppressions:
    """Called when staff list or view persons, once for all addresses of a page.

    :param session: a session for reading.
    :param addresses: the addresses as ``Email`` stores them; none if only the query is wanted.
    :return: the suppressed ones, with the permission that reading their reasons needs, and a query
        of all.

    Raising fails the request.
    """
