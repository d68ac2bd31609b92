"""How staff get e-mails of what they are told."""

from __future__ import annotations

from sqlalchemy import Select
from sqlalchemy.orm import Session

from masthead import Notice, hookimpl
from masthead_email.notices.services import mail_notice


@hookimpl
def masthead_notified(session: Session, notice: Notice, recipients: Select[int]) -> None:
    """Queue an e-mail of it, where the settings want one."""
    mail_notice(session, notice, recipients)
