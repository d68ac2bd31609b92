"""The delivery of mail that was sent: reporting, pausing, resuming, cancelling, retrying."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy.orm import Session

from masthead import MOST_ROWS, Caller, NotFound, Page, Refused, Window, record
from masthead_email.outbox import reports
from masthead_email.outbox import services as outbox
from masthead_email.outbox.models import QUEUED, STATES, Delivery, Message
from masthead_email.permissions import ADDRESSES
from masthead_email.sent_mail.retrying import queue_failed
from masthead_email.sent_mail.source import Source


def deliveries(session: Session, source: Source, item_id: int, caller: Caller) -> dict[str, Any]:
    """Return the state of a mail, the numbers of its deliveries, and the failed ones, newest first.

    ``leftOut`` names the failures where the caller may not read addresses.

    :raises NotFound: if the mail doesn't exist.
    """
    _get(session, source, item_id)
    message = outbox.latest_message(session, source.kind, item_id)
    readable = caller.may(ADDRESSES)
    shown = {"leftOut": [] if readable else ["failures"]}
    if message is None:
        return _unsent() | shown
    numbers = outbox.counts(session, [message.id])[message.id]
    waiting = reports.waiting(session, message, numbers[QUEUED])
    return {
        **numbers,
        **shown,
        "state": message.state,
        "pauseReason": message.pause_reason,
        "waiting": waiting,
        "failedBy": reports.failures_by_class(session, message.id),
        "skippedBy": reports.skips_by_reason(session, message.id),
        "failures": _failures(session, message) if readable else [],
    }


def recipients(
    session: Session, source: Source, item_id: int, window: Window, query: Mapping[str, str]
) -> Page:
    """Return a page of the recipients of a mail; nobody if it wasn't sent.

    :param query: optionally ``state`` and ``failure``.
    :raises NotFound: if the mail doesn't exist.
    """
    _get(session, source, item_id)
    message = outbox.latest_message(session, source.kind, item_id)
    if message is None:
        return Page([], 0)
    page = reports.recipients(session, message.id, window, query)
    return Page([_recipient(each) for each in page.items], page.total)


def pause(session: Session, source: Source, item_id: int, actor_id: int) -> None:
    """Pause the delivery of a mail.

    :raises Refused: if it isn't being sent.
    """
    item, message = _sent(session, source, item_id)
    outbox.pause(session, message.id)
    _record(session, source, "pause", actor_id, item)


def resume(session: Session, source: Source, item_id: int, actor_id: int) -> None:
    """Resume the delivery of a paused mail.

    :raises Refused: if it isn't paused.
    """
    item, message = _sent(session, source, item_id)
    outbox.resume(session, message.id)
    _record(session, source, "resume", actor_id, item)


def cancel(session: Session, source: Source, item_id: int, actor_id: int) -> None:
    """Cancel the delivery of a mail permanently.

    :raises Refused: if it is neither being sent nor paused.
    """
    item, message = _sent(session, source, item_id)
    skipped = outbox.cancel(session, message.id)
    _record(session, source, "cancel", actor_id, item, skipped=skipped)


def retry(
    session: Session,
    source: Source,
    item_id: int,
    body: Mapping[str, Any],
    actor_id: int,
) -> dict[str, Any]:
    """Queue the failed deliveries of a mail again; return how many, and how many are left out.

    :param body: optionally ``failures``, their classes, and ``skipped``, whether to queue skipped
        deliveries too.
    :raises Refused: if it wasn't sent, or was cancelled.
    """
    item, message = _sent(session, source, item_id)
    failures, skipped = body.get("failures"), body.get("skipped", False)
    queued, left_out = queue_failed(session, message.id, failures, skipped=skipped)
    _record(session, source, "retry", actor_id, item, queued=queued)
    return {"queued": queued, "leftOut": left_out}


def _unsent() -> dict[str, Any]:
    """Return the report of a mail that wasn't sent yet."""
    return {
        **dict.fromkeys(STATES, 0),
        "state": None,
        "pauseReason": None,
        "waiting": reports.Waiting(None, 0, None),
        "failedBy": reports.NO_FAILURES,
        "skippedBy": reports.NO_SKIPS,
        "failures": [],
    }


def _failures(session: Session, message: Message) -> list[dict[str, Any]]:
    found = outbox.failures(session, message.id, Window(MOST_ROWS, 0)).items
    return [
        {"email": d.address, "error": d.last_error or "", "failure": d.failure, "at": d.done_at}
        for d in found
    ]


def _recipient(delivery: Delivery) -> dict[str, Any]:
    return {
        "email": delivery.address,
        "state": delivery.state,
        "failure": delivery.failure,
        "error": delivery.last_error,
        "attempts": delivery.attempts,
        "nextTryAt": delivery.next_try_at if delivery.state == QUEUED else None,
        "at": delivery.done_at,
    }


def _get(session: Session, source: Source, item_id: int) -> Any:
    item = session.get(source.resource.model, item_id)
    if item is None:
        raise NotFound
    return item


def _sent(session: Session, source: Source, item_id: int) -> tuple[Any, Message]:
    """Return a mail and its message.

    :raises NotFound: if the mail doesn't exist.
    :raises Refused: if it wasn't sent.
    """
    item = _get(session, source, item_id)
    message = outbox.latest_message(session, source.kind, item_id)
    if message is None:
        raise Refused(source.unsent)
    return item, message


def _record(
    session: Session, source: Source, verb: str, actor_id: int, item: Any, **detail: int
) -> None:
    action, title = f"{source.action}.{verb}", source.title(item)
    record(session, action, actor_id, source.resource.name, item, title=title, **detail)
