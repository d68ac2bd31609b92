"""What follows from mail that came back."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session

from masthead import utcnow
from masthead_email.bounces.reading import read
from masthead_email.delivery.envelopes import returned
from masthead_email.outbox.models import FAILED, OPEN, SENT, Delivery
from masthead_email.outbox.services import suppress
from masthead_email.subscribers.links import link_key


def take_bounce(session: Session, octets: bytes) -> list[str]:
    """Note a mail that came back, and let addresses that it condemns get nothing any more.

    Which delivery it was is told by the signed address to which it returned, and by nothing else:
    anybody can write a report.

    :param octets: the mail, as a mail server hands it over.
    :returns: the addresses that get nothing any more because of it.
    """
    mail = read(octets)
    key = link_key(session)
    numbers = [number for each in mail.sent_to if (number := returned(key, each)) is not None]
    # What a report told before is no news: meanwhile somebody may have released the address.
    news = Delivery.state.in_((SENT, *OPEN))
    deliveries = session.scalars(select(Delivery).where(Delivery.id.in_(numbers), news)).all()
    silenced = []
    for delivery in deliveries:
        for report in mail.reports:
            if report.action != "failed":
                continue
            error = f"{report.status} {report.why}".strip()
            if delivery.state != FAILED:
                delivery.state, delivery.done_at, delivery.last_error = FAILED, utcnow(), error
            if report.hard and suppress(session, delivery.address, error):
                silenced.append(delivery.address)
    return silenced
