"""The checks of mail for ``masthead doctor``: sender, DNS, transport, relay, waiting mail."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

from sqlalchemy import func, select

from masthead import Check, Instance, StartError, Timestamp, utcnow
from masthead_email.checks import CheckResult
from masthead_email.delivery.transports import simple_transport
from masthead_email.dns_records import check_dns
from masthead_email.outbox.models import ACTIVE, OPEN, Delivery, Message
from masthead_email.readiness import check_relay, check_sender, is_local_sender
from masthead_email.rendering.signers import configured_signer
from masthead_email.settings import TRANSPORT
from masthead_email.smtp.relay import read_relay
from masthead_email.status import outbox_trouble, relay_trouble

_LONG = timedelta(hours=1)
"""The time for which mail may wait before that is worth a warning."""
_RELAY_SECONDS = 8.0


def checks() -> list[Check]:
    """Return the checks of mail; none of them concerns the answering of requests."""
    return [
        Check(
            "email.transport",
            transport_trouble,
            readiness=False,
            remedy="correct the settings masthead.email.*; email.md describes them",
            status=False,
        ),
        Check(
            "email.sender",
            sender_trouble,
            readiness=False,
            level="warning",
            remedy="set masthead.email.from and masthead.email.transport",
            status=False,
        ),
        Check(
            "email.dns",
            dns_trouble,
            readiness=False,
            level="warning",
            remedy="publish the records; masthead mail check shows all, masthead mail dkim the key",
            status=False,
        ),
        Check(
            "email.connection",
            connection_trouble,
            readiness=False,
            remedy="correct masthead.email.transport or the relay; then masthead mail check --to",
            status=False,
            warn=True,
        ),
        Check(
            "email.relay",
            relay_trouble,
            readiness=False,
            remedy="masthead mail check; mail waits and is sent when the relay accepts it",
        ),
        Check(
            "email.outbox",
            outbox_trouble,
            readiness=False,
            remedy="masthead mail pending lists what waits; masthead mail resume sends it",
        ),
        Check(
            "email.waiting",
            waiting_trouble,
            readiness=False,
            level="warning",
            remedy="see the checks worker, jobs and email.relay; masthead mail pending lists it",
        ),
    ]


def transport_trouble(instance: Instance) -> str | None:
    """Return why the transport or the key of signatures can't be used."""
    address = instance.settings[TRANSPORT]
    try:
        if simple_transport(instance, address) is None:
            read_relay(address)
        configured_signer(instance)
    except (StartError, ValueError) as error:
        return str(error)
    return None


def sender_trouble(instance: Instance) -> str | None:
    """Return whether the sender can't receive replies."""
    return _failed([check_sender(instance)])


def dns_trouble(instance: Instance) -> str | None:
    """Return the records by which receivers can't authenticate the sender."""
    return None if is_local_sender(instance) else _failed(check_dns(instance))


def connection_trouble(instance: Instance) -> str | None:
    """Return why the relay wouldn't accept a message from the sender."""
    address = instance.settings[TRANSPORT]
    # Another trouble with the transport is that of its own check.
    if transport_trouble(instance) or simple_transport(instance, address) is not None:
        return None
    return _failed(check_relay(instance, read_relay(address), _RELAY_SECONDS, None))


def waiting_trouble(instance: Instance) -> str | None:
    """Return the number of mails that should have been sent long ago."""
    late = (
        select(func.count(), func.min(Message.created_at))
        .select_from(Delivery)
        .join(Message, Message.id == Delivery.message_id)
        .where(
            Message.state == ACTIVE,
            Delivery.state.in_(OPEN),
            Message.created_at < utcnow() - _LONG,
        )
    )
    with instance.database.session(read_only=True) as session:
        count, oldest = session.execute(late).one()
    if not count:
        return None
    return f"mails that wait: {count}, the oldest since {Timestamp().dump(oldest)}"


def _failed(results: Iterable[CheckResult]) -> str | None:
    return "; ".join(result.text for result in results if not result.ok) or None
