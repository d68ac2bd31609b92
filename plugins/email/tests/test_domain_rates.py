"""Rates per recipient domain, pauses of domains, and the warm-up of a new sender."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from masthead import Instance, StartError, utcnow
from masthead.testing import Clock
from masthead_email.delivery.runner import DeliveryRunner
from masthead_email.outbox.models import ACCOUNT, Delivery, RelayState
from masthead_email.settings import DOMAIN_RATES, WARM_UP, WARM_UP_START

pytestmark = pytest.mark.product


@pytest.fixture
def settings() -> Mapping[str, str]:
    return {"masthead.email.timeout": "2", "masthead.email.from": "Our Club <news@example.org>"}


@pytest.fixture
def configure(instance: Instance, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Return a function that sets the rates of domains, and the warm-up."""

    def put(**values: str) -> None:
        for setting in (DOMAIN_RATES, WARM_UP, WARM_UP_START):
            word = setting.name.rpartition(".")[2]
            if word in values:
                parsed = setting.parse(values[word])
                monkeypatch.setitem(instance.settings._values, setting.name, parsed)

    return put


def taken(here: Any) -> Counter[str]:
    return Counter(each.recipient.decode().rpartition("@")[2] for each in here.taken)


def test_each_domain_has_its_rate_and_no_domain_waits_for_another(
    configure: Any, queue: Any, relayed: Any, instance: Instance
) -> None:
    configure(domain_rates="Slow.example:120 *:600")
    slow = [f"a{n}@slow.example" for n in range(1_200)]
    queue([*slow, *(f"b{n}@fast.example" for n in range(10)), "c@third.example"])
    began = time.monotonic()
    runner = DeliveryRunner(instance)
    while taken(relayed)["slow.example"] < 7:
        assert time.monotonic() - began < 60
        runner.run(instance, lambda: taken(relayed)["slow.example"] < 7)
    found = taken(relayed)
    # Two in a second, and those of a second at the start.
    assert time.monotonic() - began > (found["slow.example"] - 4) / 2
    assert found["fast.example"] == 10
    assert found["third.example"] == 1


def test_urgent_mail_is_not_delayed_by_the_rate_of_its_domain(
    configure: Any, queue: Any, relayed: Any, instance: Instance
) -> None:
    configure(domain_rates="*:1")
    queue(f"a{n}@slow.example" for n in range(20))
    runner = DeliveryRunner(instance)
    runner.run(instance, lambda: len(relayed.taken) < 1)
    queue(["ada@slow.example"], kind=ACCOUNT)
    runner.run(instance, lambda: b"ada@slow.example" not in {t.recipient for t in relayed.taken})
    assert b"ada@slow.example" in {each.recipient for each in relayed.taken}


def test_a_domain_that_gets_too_much_mail_is_paused_and_others_go_on(
    queue: Any, relay: Any, send_by: Any, instance: Instance, session: Session
) -> None:
    def answer(asked: str, said: bytes) -> bytes | None:
        limited = asked == "RCPT" and b"@busy.example" in said
        return b"451 4.7.28 Unusual rate of mail" if limited else None

    here = relay(answer=answer)
    send_by(f"smtp://127.0.0.1:{here.port}")
    mixed = [f"a{n}@{'busy' if n % 2 else 'free'}.example" for n in range(200)]
    queue(mixed)
    DeliveryRunner(instance).run(instance, lambda: True)
    assert taken(here) == {"free.example": 100}
    asked = [said for said in here.said if b"@busy.example" in said]
    assert len(asked) < 10
    rows = session.execute(select(Delivery.state, Delivery.attempts, Delivery.next_try_at))
    waiting = [row for row in rows if row.state == "queued"]
    assert {row.attempts for row in waiting} == {0}
    assert min(row.next_try_at for row in waiting) > utcnow()


def test_a_pause_of_a_domain_holds_for_all_workers_until_it_ends(
    queue: Any, relay: Any, send_by: Any, instance: Instance, clock: Clock
) -> None:
    def answer(asked: str, said: bytes) -> bytes | None:
        limited = asked == "RCPT" and b"@busy.example" in said
        return b"451 4.7.28 Unusual rate of mail" if limited else None

    def asked() -> int:
        return len([said for said in here.said if b"@busy.example" in said])

    here = relay(answer=answer)
    send_by(f"smtp://127.0.0.1:{here.port}")
    queue(f"a{n}@busy.example" for n in range(3))
    DeliveryRunner(instance).run(instance, lambda: True)
    before = asked()
    queue(["b@busy.example", "b@free.example"])
    other = DeliveryRunner(instance)
    other.run(instance, lambda: True)
    assert taken(here) == {"free.example": 1}
    assert asked() == before
    clock.shift(minutes=3)
    DeliveryRunner(instance).run(instance, lambda: True)
    assert asked() > before


def test_a_new_sender_sends_more_each_day(
    configure: Any, queue: Any, relayed: Any, instance: Instance, clock: Clock
) -> None:
    today = utcnow().date().isoformat()
    configure(warm_up="5 10", warm_up_start=today)
    queue(f"a{n}@example.net" for n in range(40))
    runner = DeliveryRunner(instance)
    for expected in (5, 15, 40):
        for _ in range(3):
            runner.run(instance, lambda: True)
        assert len(relayed.taken) == expected
        queue([f"urgent{expected}@example.org"], kind=ACCOUNT)
        runner.run(instance, lambda: True)
        assert relayed.taken.pop().recipient.startswith(b"urgent")
        clock.shift(days=1)


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        (DOMAIN_RATES, "gmail.com"),
        (DOMAIN_RATES, "gmail.com:0"),
        (DOMAIN_RATES, ":5"),
        (DOMAIN_RATES, "gmail.com:x"),
        (WARM_UP, "200 x"),
        (WARM_UP, "0"),
        (WARM_UP_START, "1.3.2027"),
    ],
)
def test_invalid_rates_are_refused(setting: Any, value: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        setting.parse(value)


def test_a_relay_that_limits_every_domain_rests_as_a_whole(
    queue: Any, relay: Any, send_by: Any, instance: Instance, session: Session
) -> None:
    here = relay(answer=lambda at, _: b"451 4.7.1 Slow down" if at == "RCPT" else None)
    send_by(f"smtp://127.0.0.1:{here.port}")
    queue(f"a@d{n}.example" for n in range(100))
    DeliveryRunner(instance).run(instance, lambda: True)
    assert len([said for said in here.said if said.startswith(b"RCPT")]) < 20
    assert set(session.execute(select(Delivery.state, Delivery.attempts))) == {("queued", 0)}
    assert "Slow down" in str(session.scalars(select(RelayState.trouble)).one())


@pytest.mark.parametrize("half", [{"warm_up": "5"}, {"warm_up_start": "2027-03-01"}])
def test_half_a_warm_up_stops_the_start(
    half: dict[str, str], configure: Any, instance: Instance
) -> None:
    configure(**half)
    with pytest.raises(StartError, match="need each other"):
        DeliveryRunner(instance)
