"""The outbox: priorities, pausing, cancelling, counts, transports and notices."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from masthead import (
    Instance,
    Notice,
    Plugin,
    Refused,
    Window,
    approvers,
    forget_person,
    holders,
    hookimpl,
    notify,
    person_data,
    utcnow,
)
from masthead_email.delivery.runner import DeliveryRunner
from masthead_email.outbox import messages
from masthead_email.outbox import services as outbox
from masthead_email.outbox.models import (
    COMPOSED,
    NEWSLETTER,
    NOTICE,
    Delivery,
    Message,
    Suppression,
)
from masthead_email.plugin import plugin as email
from masthead_email.results import Envelope, Result, sent
from masthead_email.settings import RETENTION
from masthead_email.subscribers.models import Subscriber

pytestmark = pytest.mark.product


class Pigeons:
    """A transport of another plugin."""

    carried: list[bytes]

    def __init__(self) -> None:
        self.carried = []

    def send(self, envelope: Envelope) -> Result:
        self.carried.append(envelope.recipient)
        if b"lost" in envelope.recipient:
            raise OSError("a hawk")
        return sent(envelope)

    @hookimpl(optionalhook=True)
    def masthead_mail_transports(self) -> Mapping[str, Callable[[str, Instance], Any]]:
        return {"pigeon": lambda _address, _instance: self}


PIGEONS = Pigeons()


@pytest.fixture
def pigeons() -> Pigeons:
    """The same object in each test, with a new state, so that tests share an instance."""
    PIGEONS.__init__()
    return PIGEONS


@pytest.fixture
def plugins(pigeons: Pigeons) -> list[Plugin]:
    return [email, Plugin(name="pigeons", hooks=(pigeons,))]


@pytest.fixture
def settings() -> Mapping[str, str]:
    return {
        "masthead.email.timeout": "2",
        "masthead.email.from": "Our Club <news@example.org>",
        "masthead.email.staff": "office@example.org desk@example.org",
        "masthead.email.approval_mails": "all",
    }


@pytest.fixture
def queue(instance: Instance) -> Callable[..., int]:
    """Return a function that queues a message for a number of addresses and returns its id."""

    def put(number: int = 1, *, kind: str = COMPOSED, **values: Any) -> int:
        mail = {"subject": "Hi", "html": None, "text": "Hi", "source_id": 1, **values}
        with instance.database.transaction() as session:
            message = messages.create_message(session, kind=kind, **mail)
            people = [(f"{kind}{n}@example.net", None) for n in range(number)]
            messages.add_recipients(session, message, people)
            return message.id

    return put


def counts(session: Session, message_id: int) -> dict[str, int]:
    return {state: n for state, n in outbox.counts(session, [message_id])[message_id].items() if n}


def read(relayed: Any, number: int = -1) -> EmailMessage:
    mail = message_from_bytes(relayed.taken[number].content, policy=policy.default)
    assert isinstance(mail, EmailMessage)
    return mail


def test_notices_are_sent_before_bulk_mail(
    queue: Any, relayed: Any, deliver: Any, instance: Instance
) -> None:
    instance.settings._values["masthead.email.connections"] = 1
    for kind in (NEWSLETTER, COMPOSED, NOTICE):
        queue(3, kind=kind)
    deliver()
    kinds = [taken.recipient[:3] for taken in relayed.taken]
    assert kinds == [b"not"] * 3 + [b"com"] * 3 + [b"new"] * 3


def test_a_paused_message_waits_and_a_cancelled_one_is_never_sent(
    queue: Any, relayed: Any, deliver: Any, instance: Instance, session: Session
) -> None:
    message_id = queue(5)
    with instance.database.transaction() as writing:
        outbox.pause(writing, message_id)
        with pytest.raises(Refused):
            outbox.pause(writing, message_id)
    deliver()
    assert counts(session, message_id) == {"queued": 5}

    with instance.database.transaction() as writing:
        outbox.resume(writing, message_id)
        with pytest.raises(Refused):
            outbox.resume(writing, message_id)
        assert outbox.cancel(writing, message_id) == 5
        with pytest.raises(Refused):
            outbox.cancel(writing, message_id)
    deliver()
    assert counts(session, message_id) == {"skipped": 5}
    assert relayed.taken == []


def test_a_pause_takes_effect_during_sending(
    queue: Any, relay: Any, send_by: Any, deliver: Any, instance: Instance, session: Session
) -> None:
    message_id = 0
    received: list[bytes] = []

    def answer(stage: str, said: bytes) -> bytes | None:
        if stage == "dot":
            received.append(said)
        if stage == "dot" and len(received) == 20:
            with instance.database.transaction() as writing:
                outbox.pause(writing, message_id)
        return None

    here = relay(answer=answer, latency=0.002)
    send_by(f"smtp://127.0.0.1:{here.port}")
    message_id = queue(200)
    deliver()
    found = counts(session, message_id)
    assert found["queued"] > 150
    assert found["queued"] + found["sent"] == 200
    with instance.database.transaction() as writing:
        outbox.resume(writing, message_id)
    deliver()
    assert counts(session, message_id) == {"sent": 200}
    assert len(here.taken) == 200


def test_a_recipient_who_unsubscribes_during_sending_gets_nothing(
    relay: Any, send_by: Any, deliver: Any, instance: Instance, session: Session
) -> None:
    with instance.database.transaction() as writing:
        writing.add_all(Subscriber(email=f"s{n}@example.net") for n in range(60))
        writing.flush()
        message = messages.create_message(
            writing,
            kind=NEWSLETTER,
            source_id=1,
            subject="Hi",
            html=None,
            text="x",
            unsubscribe=True,
        )
        everybody = select(Subscriber.email, Subscriber.name, Subscriber.id)
        messages.fan_out(writing, message, everybody)

    def answer(stage: str, _: bytes) -> bytes | None:
        if stage == "greeting":
            with instance.database.transaction() as leaving:
                some = Subscriber.email.in_([f"s{n}@example.net" for n in range(40, 50)])
                leaving.execute(update(Subscriber).where(some).values(status="unsubscribed"))
                leaving.execute(delete(Subscriber).where(Subscriber.email == "s59@example.net"))
        return None

    here = relay(answer=answer)
    send_by(f"smtp://127.0.0.1:{here.port}")
    deliver()
    assert counts(session, message.id) == {"sent": 49, "skipped": 11}
    assert len(here.taken) == 49


def test_two_workers_share_a_message(
    queue: Any, relay: Any, send_by: Any, instance: Instance, session: Session
) -> None:
    here = relay(latency=0.002)
    send_by(f"smtp://127.0.0.1:{here.port}")
    message_id = queue(1_200)

    def work() -> None:
        runner = DeliveryRunner(instance)
        while runner.run(instance, lambda: True):
            pass

    threads = [Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counts(session, message_id) == {"sent": 1_200}
    assert len(here.taken) == 1_200


def test_sending_keeps_to_the_rate_limit(
    queue: Any, relayed: Any, deliver: Any, instance: Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(instance.settings._values, "masthead.email.rate", 1_200)
    queue(20)
    deliver()
    times = sorted(taken.at for taken in relayed.taken)
    assert len(times) == 20
    # The first message may take longer than the others, from its start to its arrival.
    assert times[-1] - times[0] > 0.6


def test_the_same_address_gets_a_message_once(
    instance: Instance, relayed: Any, deliver: Any
) -> None:
    with instance.database.transaction() as session:
        message = messages.create_message(
            session, kind=COMPOSED, source_id=1, subject="Hi", html=None, text="x"
        )
        people = [("a@example.net", None), ("A@example.net", "A"), ("b@example.net", None)]
        assert messages.add_recipients(session, message, people) == 2
    deliver()
    assert len(relayed.taken) == 2


def test_old_deliveries_become_totals(
    queue: Any, relayed: Any, deliver: Any, instance: Instance, session: Session
) -> None:
    message_id = queue(7)
    deliver()
    with instance.database.transaction() as writing:
        old = utcnow() - timedelta(days=instance.settings[RETENTION] + 1)
        writing.execute(update(Message).values(created_at=old))
    deliver()
    assert session.scalar(select(func.count()).select_from(Delivery)) == 0
    assert counts(session, message_id) == {"sent": 7}
    assert len(relayed.taken) == 7


def test_failures_are_listed_newest_first(
    queue: Any, relay: Any, send_by: Any, deliver: Any, session: Session
) -> None:
    here = relay(answer=lambda stage, _: b"550 5.2.1 No" if stage == "RCPT" else None)
    send_by(f"smtp://127.0.0.1:{here.port}")
    message_id = queue(3)
    deliver()
    page = outbox.failures(session, message_id, Window(2, 0))
    assert (len(page.items), page.total) == (2, 3)
    assert page.items[0].last_error == "550 5.2.1 No"


def test_a_permanent_address_failure_suppresses_the_address(
    queue: Any, relay: Any, send_by: Any, deliver: Any, session: Session
) -> None:
    here = relay(answer=lambda stage, _: b"550 5.1.1 No such user" if stage == "RCPT" else None)
    send_by(f"smtp://127.0.0.1:{here.port}")
    queue(1)
    deliver()
    assert session.scalars(select(Suppression.address)).all() == ["composed0@example.net"]


def test_without_a_transport_messages_are_files(
    queue: Any, deliver: Any, instance: Instance
) -> None:
    queue(3)
    deliver()
    files = sorted((instance.data / "mail").iterdir())
    assert [file.suffix for file in files] == [".eml"] * 3
    assert b"\r\n\r\nHi\r\n" in files[0].read_bytes()


def test_the_log_transport_only_logs(
    queue: Any, send_by: Any, deliver: Any, session: Session, caplog: pytest.LogCaptureFixture
) -> None:
    send_by("log:")
    message_id = queue(1)
    with caplog.at_level("INFO"):
        deliver()
    assert counts(session, message_id) == {"sent": 1}
    assert "A mail to composed0@example.net: Hi" in caplog.text


def test_a_plugin_may_add_a_transport(
    queue: Any, send_by: Any, deliver: Any, session: Session, pigeons: Pigeons, instance: Instance
) -> None:
    send_by("pigeon://loft")
    message_id = queue(2)
    with instance.database.transaction() as writing:
        message = writing.get_one(Message, message_id)
        messages.add_recipients(writing, message, [("lost@example.net", None)])
    deliver()
    assert len(pigeons.carried) == 3
    assert counts(session, message_id) == {"queued": 1, "sent": 2}


def test_hook_notified_mails_submissions_of_visitors_to_staff(
    instance: Instance, relayed: Any, deliver: Any
) -> None:
    said = Notice("New {{email}}\r\nBcc: x@example.net", "Hello {{name}}", reply_to="v@example.net")
    with instance.database.transaction() as session:
        notify(session, holders("email.read"), said)
    deliver()
    assert {taken.recipient for taken in relayed.taken} == {
        b"office@example.org",
        b"desk@example.org",
    }
    mail = read(relayed)
    assert mail["Subject"] == "New {{email}} Bcc: x@example.net"
    assert mail["Reply-To"] == "v@example.net"
    assert mail["From"] == "Our Club <news@example.org>"
    assert "Bcc" not in mail
    assert mail["Auto-Submitted"] == "auto-generated"
    assert mail.get_content().strip() == "Hello {{name}}"


def test_hook_notified_mails_approvers_if_the_settings_require_it(
    instance: Instance, relayed: Any, deliver: Any, make_user: Any
) -> None:
    make_user("ada", role="admin", email="ada@example.org")
    make_user("bob", role="admin", email="bob@example.org", disabled=True)
    with instance.database.transaction() as session:
        asked = Notice("Approval Request: Newsletter", "…", type="approval_request")
        notify(session, approvers("newsletters"), asked)
    deliver()
    assert [taken.recipient for taken in relayed.taken] == [b"ada@example.org"]


def test_hook_forget_person_keeps_only_the_totals_of_mails(
    queue: Any, relayed: Any, deliver: Any, instance: Instance, session: Session
) -> None:
    message_id = queue(2)
    deliver()
    address = "composed0@example.net"
    kinds = person_data(session, [address], None).data
    assert kinds["mails"][0]["subject"] == "Hi"
    assert kinds["mails"][0]["doneAt"].endswith("Z")
    with instance.database.transaction() as writing:
        forget_person(writing, address)
    assert person_data(session, [address], None).data == {}
    assert counts(session, message_id) == {"sent": 2}
    assert len(relayed.taken) == 2
    again = queue(2)
    with instance.database.transaction() as writing:
        forget_person(writing, address)
    deliver()
    assert counts(session, again) == {"sent": 1, "skipped": 1}
    left = session.scalars(select(Delivery.address).where(Delivery.address.startswith("forg")))
    assert len({each.rpartition("-")[0] for each in left}) == 1


@pytest.mark.parametrize("address", ["pigeons://x", "file:"])
def test_an_unknown_transport_stops_the_worker(
    address: str, send_by: Any, instance: Instance, tmp_path: Path
) -> None:
    send_by(address)
    with pytest.raises(Exception, match=r"masthead\.email\.transport"):
        DeliveryRunner(instance)
    assert list(tmp_path.glob("*.eml")) == []
