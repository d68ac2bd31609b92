"""Processing bounces."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session

from masthead import utcnow
from masthead_email.bounces.reading import parse_notification
from masthead_email.delivery.envelopes import parse_return_path
from masthead_email.failures import Failure
from masthead_email.outbox.models import FAILED, OPEN, SENT, Delivery
from masthead_email.outbox.services import suppress
from masthead_email.subscribers.links import link_key


def process_bounce(session: Session, octets: bytes) -> list[str]:
    """Mark the deliveries of a bounce as failed, and suppress hard-bouncing addresses.

    Only the signed return path identifies a delivery, because anybody can forge a bounce.

    :param octets: the bounce as the mail server received it.
    :returns: the addresses that are newly suppressed.
    """
    notification = parse_notification(octets)
    key = link_key(session)
    numbers = [
        number
        for each in notification.sent_to
        if (number := parse_return_path(key, each)) is not None
    ]
    # A bounce that was processed before must not suppress an address released since.
    unprocessed = Delivery.state.in_((SENT, *OPEN))
    deliveries = session.scalars(
        select(Delivery).where(Delivery.id.in_(numbers), unprocessed)
    ).all()
    suppressed = []
    for delivery in deliveries:
        for report in notification.reports:
            if report.action != "failed":
                continue
            error = f"{report.status} {report.diagnostic}".strip()
            if delivery.state != FAILED:
                delivery.state, delivery.done_at, delivery.last_error = FAILED, utcnow(), error
                delivery.failure = report.failure
            if report.failure is Failure.RECIPIENT_GONE and suppress(
                session, delivery.address, report.failure, error, delivery.message_id
            ):
                suppressed.append(delivery.address)
    return suppressed
