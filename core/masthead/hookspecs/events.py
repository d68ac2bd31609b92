"""The hooks that react to events, in their transactions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from masthead.hookspecs.markers import hookspec

if TYPE_CHECKING:
    from sqlalchemy import Select
    from sqlalchemy.orm import Session

    from masthead.approval.events import Transitioned
    from masthead.ports.notice import Notice

# pluggy calls only implementations, so the bodies are empty in spite of the return types.
# mypy: disable-error-code="empty-body"


@hookspec
def masthead_transitioned(session: Session, event: Transitioned) -> None:
    """Called in the transaction of a request, a vote, an approval, a rejection, and so on.

    Not called when an edit returns an item to draft or a staged copy is dropped.

    :param session: the session of the transaction; rows that are added commit with the change.
    :param event: the transition, with ids.

    Raising rolls the change back.
    """


@hookspec
def masthead_notified(session: Session, notice: Notice, recipients: Select[int]) -> None:
    """Called in the transaction that notifies users.

    :param session: the session of the transaction; rows that are added commit with it.
    :param notice: the content of the notification.
    :param recipients: a select of the recipients' user ids, including disabled users.

    Raising rolls the transaction back.
    """


@hookspec
def masthead_committing(session: Session) -> None:
    """Called in each transaction that may write, just before it commits.

    :param session: the session of the transaction; rows that are added commit with it.

    Raising rolls the transaction back.
    """
