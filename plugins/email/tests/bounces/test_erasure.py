"""Reports about persons whose data was erased."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import select
from sqlalchemy.orm import Session

from masthead import Instance, forget_person
from masthead_email.bounces.services import process_message
from masthead_email.outbox.models import Delivery, Suppression

ADA = "ada@example.net"


def test_a_late_report_stores_nothing_about_an_erased_person(
    send: Callable[..., list[str]],
    report: Callable[..., str],
    instance: Instance,
    session: Session,
) -> None:
    [path] = send(ADA)
    with instance.database.transaction() as writing:
        forget_person(writing, ADA)
        bounce = report(path, said=f"550 5.1.1 <{ADA}>: no such user")
        [outcome] = process_message(writing, bounce.encode())

    assert str(outcome).startswith("ignored: it names no delivery")
    assert session.scalars(select(Delivery.last_error)).all() == [None]
    assert session.scalars(select(Suppression)).all() == []
