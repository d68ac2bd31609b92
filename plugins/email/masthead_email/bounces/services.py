"""Recording what reports say: failed deliveries, suppressed addresses, complaints."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from sqlalchemy import select
from sqlalchemy.orm import Session

from masthead import utcnow
from masthead_email.bounces.reading import Kind, Report, read_reports
from masthead_email.failures import Failure
from masthead_email.outbox.models import COMPLAINT, ERASED, FAILED, OPEN, SENT, Delivery
from masthead_email.outbox.services import suppress
from masthead_email.rendering.link_placeholders import UNSUBSCRIBE
from masthead_email.return_paths import parse_return_path
from masthead_email.subscribers.links import delivery_of, is_delivery_token, link_key, verify
from masthead_email.subscribers.models import Subscriber
from masthead_email.subscribers.services import unsubscribe

_PROCESSED = "it was processed before"


class Effect(StrEnum):
    """The effect of a report."""

    SUPPRESSED = "suppressed"
    FAILED = "failed"
    COMPLAINT = "complaint"
    IGNORED = "ignored"


@dataclass(frozen=True)
class Outcome:
    """The effect of a report on one address."""

    effect: Effect
    text: str
    """The words of the server; for ``IGNORED`` the reason."""
    address: str | None = None
    failure: Failure | None = None

    def __str__(self) -> str:
        """Return one line for a terminal."""
        if self.effect is Effect.SUPPRESSED:
            return f"{self.address} is suppressed: {self.text}"
        if self.effect is Effect.FAILED:
            return f"{self.address} failed ({self.failure}): {self.text}"
        if self.effect is Effect.COMPLAINT:
            return f"{self.address} has complained: it is unsubscribed and suppressed"
        return f"ignored: {self.text}"


def process_message(session: Session, octets: bytes) -> list[Outcome]:
    """Record the reports of a message that has returned.

    Only the signed return path, or for a complaint the signed unsubscribe link, identifies a
    delivery, because anybody can forge a report.

    :param octets: the message as the mail server received it.
    """
    key = link_key(session)
    return [
        outcome
        for report in read_reports(octets)
        for outcome in _process_report(session, key, report)
    ]


def _process_report(session: Session, key: bytes, report: Report) -> list[Outcome]:
    if report.kind is Kind.NOTHING:
        return [Outcome(Effect.IGNORED, report.text)]
    delivery_ids = _delivery_ids(key, report.return_paths)
    if report.kind is Kind.FAILURE:
        return record_failure(session, delivery_ids, report.failure, report.text)
    delivery_ids = delivery_ids or _deliveries_by_link(session, key, report.links)
    if delivery_ids:
        return record_complaint(session, delivery_ids, report.text)
    return _record_by_link(session, key, report)


def record_failure(
    session: Session, delivery_ids: Iterable[int], failure: Failure | None, text: str
) -> list[Outcome]:
    """Mark deliveries as failed, and suppress their addresses if they don't exist.

    :param failure: the class of the failure.
    :param text: the words of the server.
    """
    deliveries = _lock(session, delivery_ids)
    if not deliveries:
        return [_no_delivery()]
    outcomes = []
    for delivery in deliveries:
        # A report that was processed before must not suppress an address released since.
        if delivery.state not in (SENT, *OPEN):
            outcomes.append(Outcome(Effect.IGNORED, _PROCESSED, delivery.address))
            continue
        delivery.state, delivery.done_at, delivery.last_error = FAILED, utcnow(), text
        delivery.failure = failure or Failure.UNKNOWN
        outcome = Outcome(Effect.FAILED, text, delivery.address, failure or Failure.UNKNOWN)
        if failure is Failure.RECIPIENT_GONE:
            suppress(session, delivery.address, failure, text, delivery.message_id)
            outcome = Outcome(Effect.SUPPRESSED, text, delivery.address, failure)
        outcomes.append(outcome)
    return outcomes


def record_complaint(session: Session, delivery_ids: Iterable[int], text: str) -> list[Outcome]:
    """Unsubscribe and suppress the recipients of deliveries that they complain about."""
    deliveries = _lock(session, delivery_ids)
    if not deliveries:
        return [_no_delivery()]
    outcomes = []
    for delivery in deliveries:
        if delivery.complained_at is not None:
            outcomes.append(Outcome(Effect.IGNORED, _PROCESSED, delivery.address))
            continue
        delivery.complained_at = utcnow()
        _condemn(session, delivery.address, text, delivery.message_id)
        outcomes.append(Outcome(Effect.COMPLAINT, text, delivery.address))
    return outcomes


def _lock(session: Session, delivery_ids: Iterable[int]) -> Sequence[Delivery]:
    # The words of a server may name a person whose data was erased.
    found = select(Delivery).where(Delivery.id.in_(set(delivery_ids)), ~ERASED)
    return session.scalars(found.order_by(Delivery.id).with_for_update()).all()


def _no_delivery() -> Outcome:
    return Outcome(Effect.IGNORED, "it names no delivery of this instance")


def _delivery_ids(key: bytes, groups: Iterable[Iterable[str]]) -> set[int]:
    """Return the deliveries of the first group of return paths that has valid ones."""
    for group in groups:
        numbers = {parse_return_path(key, each) for each in group} - {None}
        if numbers:
            return {number for number in numbers if number is not None}
    return set()


def _deliveries_by_link(session: Session, key: bytes, tokens: Iterable[str]) -> set[int]:
    """Return the deliveries whose recipients, who may be no subscribers, have unsubscribe links."""
    named = {delivery_of(token): token for token in tokens}
    found = select(Delivery.id, Delivery.address).where(Delivery.id.in_(named.keys() - {None}))
    return {
        number
        for number, address in session.execute(found)
        if is_delivery_token(key, UNSUBSCRIBE, named[number], address)
    }


def _record_by_link(session: Session, key: bytes, report: Report) -> list[Outcome]:
    """Record a complaint of the subscriber that an unsubscribe link identifies."""
    numbers = {verify(key, UNSUBSCRIBE, each) for each in report.links} - {None}
    latest = (
        select(Delivery.id)
        .where(Delivery.address == Subscriber.email, Delivery.state == SENT)
        .order_by(Delivery.message_id.desc())
        .limit(1)
        .scalar_subquery()
    )
    found = select(Subscriber.email, latest).where(Subscriber.id.in_(numbers))
    known: dict[str, int | None] = dict(iter(session.execute(found)))
    delivery_ids = [each for each in known.values() if each is not None]
    outcomes = record_complaint(session, delivery_ids, report.text) if delivery_ids else []
    for address in (each for each in known if known[each] is None):
        _condemn(session, address, report.text, None)
        outcomes.append(Outcome(Effect.COMPLAINT, report.text, address))
    return outcomes or [_no_delivery()]


def _condemn(session: Session, address: str, text: str, message_id: int | None) -> None:
    unsubscribe(session, address)
    suppress(session, address, COMPLAINT, text, message_id)
