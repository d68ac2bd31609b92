"""The hook that sends notifications by e-mail."""

from __future__ import annotations

from sqlalchemy import Select
from sqlalchemy.orm import Session

from masthead import Notice, hookimpl
from masthead_email.notices.services import mail_notice


@hookimpl
def masthead_notified(session: Session, notice: Notice, recipients: Select[int]) -> None:
    """Queue an e-mail of the notification if the settings require one."""
    mail_notice(session, notice, recipients)
