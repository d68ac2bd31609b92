"""Sends a newsletter by two workers that are killed again and again; run as a program.

It judges by what the relay took: nobody is left out, who gets a letter twice gets the same one, and
who has unsubscribed gets nothing.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import random
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import func, insert, select, update

# Loaded once, here, instead of by each worker.
from masthead.cli import main as masthead
from masthead.db import migrate
from masthead.instance import Instance, open_instance
from masthead_email.delivering.ledger import Ledger
from masthead_email.outbox import services as outbox
from masthead_email.outbox.models import NEWSLETTER, OPEN, SENDING, Delivery
from masthead_email.smtp.channel import Channel
from masthead_email.subscribers.models import Subscriber

CONNECTIONS = 4
WORKERS = 2
POINTS = ("claim", "sending", "dot", "acknowledgement", "committed", "none")
PATIENCE = 240.0
"""Seconds until what the last kill left has to be done."""

spec = importlib.util.spec_from_file_location("sink", Path(__file__).with_name("sink.py"))
assert spec is not None
assert spec.loader is not None
sink = importlib.util.module_from_spec(spec)
sys.modules["sink"] = sink
spec.loader.exec_module(sink)


def refuses(number: int) -> bool:
    """Whether the relay never takes a letter to this subscriber."""
    return number % 97 == 2


def answers() -> Callable[[str, bytes], bytes | None]:
    """Refusals, dropped connections and a stall, each once for an address but for the refusals."""
    seen: set[tuple[str, bytes]] = set()

    def once(stage: str, said: bytes) -> bool:
        known = (stage, said) in seen
        seen.add((stage, said))
        return not known

    def answer(stage: str, said: bytes) -> bytes | None:
        if stage not in ("RCPT", "dot") or b"@" not in said:
            return None
        number = int(said.rpartition(b"@")[0].rpartition(b"s")[2])
        if stage == "RCPT" and refuses(number):
            return b"550 5.2.1 Not here"
        if stage == "RCPT" and number % 50 == 1 and once(stage, said):
            return b"450 4.2.1 Later"
        if stage == "dot" and number % 211 == 3 and once(stage, said):
            return bytes(sink.CLOSE)
        if stage == "dot" and number == 307 and once(stage, said):
            return bytes(sink.STALL)
        return None

    return answer


def die() -> None:
    """End at once, as by a power cut."""
    os.kill(os.getpid(), signal.SIGKILL)


def arm(point: str, countdown: int) -> None:
    """Let this process die when it comes by a point for the so-manieth time."""
    left = [countdown]

    def pass_by(here: str) -> None:
        if here == point:
            left[0] -= 1
            if left[0] <= 0:
                die()

    _after(Ledger, "claim", lambda: pass_by("claim"))
    _after(Channel, "receive", lambda: pass_by("acknowledgement"))
    _after(Channel, "write", lambda: pass_by("dot"))
    _after(Ledger, "settle", lambda: pass_by(random.choice(("sending", "committed"))))


def _after(owner: type[Any], name: str, then: Callable[[], None]) -> None:
    original = getattr(owner, name)

    def wrapped(*arguments: Any, **named: Any) -> Any:
        result = original(*arguments, **named)
        if result or name in ("write", "settle"):
            then()
        return result

    setattr(owner, name, wrapped)


def start_worker(point: str) -> int:
    """Fork a worker that dies at a point, or at none."""
    pid = os.fork()
    if pid:
        return pid
    os.close(2)
    os.open(os.environ["MASTHEAD_DATA"] + "/worker.log", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    random.seed()
    # Of the wrapped calls some come for each letter, others for each portion.
    arm(point, 1 if point == "claim" else random.randint(1, 60))
    try:
        masthead(["worker"])
    except SystemExit as end:
        os._exit(int(str(end.code)))
    os._exit(70)


def ended(pid: int) -> bool:
    """Whether a process is no more."""
    return os.waitpid(pid, os.WNOHANG)[0] == pid


def send(instance: Instance, letters: int) -> None:
    """Queue a letter for everybody, killed before the transaction commits the first time."""
    for last in (False, True):
        pid = os.fork()
        if not pid:
            own = open_instance({})
            with own.database.transaction() as session:
                message = outbox.freeze(
                    session,
                    kind=NEWSLETTER,
                    source_id=1,
                    subject="Hi {{name}}",
                    html="<p>Hello {{name}}</p>" + "<p>.</p>" * 200,
                    text=None,
                    unsubscribe=True,
                )
                everybody = select(Subscriber.email, Subscriber.name, Subscriber.id)
                assert outbox.fan_out(session, message, everybody) == letters
                if not last:
                    die()
            os._exit(0)
        os.waitpid(pid, 0)
        with instance.database.read() as connection:
            queued = connection.execute(select(func.count()).select_from(Delivery)).scalar()
        assert queued == (letters if last else 0), queued


def unsubscribe(instance: Instance, number: int) -> tuple[str, float, bool]:
    """Unsubscribe somebody; returns who, when that was committed, and if a letter was under way."""
    address = f"s{number}@example.org"
    with instance.database.transaction() as session:
        mine = update(Subscriber).where(Subscriber.email == address)
        session.execute(mine.values(status="unsubscribed", unsubscribed_at=datetime.now(UTC)))
        state = session.scalar(select(Delivery.state).where(Delivery.address == address))
    return address, time.time(), state == SENDING


def kill_again_and_again(instance: Instance, options: argparse.Namespace) -> list[Any]:
    """Kill workers, some where it hurts and some anywhere, while people unsubscribe."""
    workers = [start_worker(random.choice(POINTS)) for _ in range(WORKERS)]
    kills, gone = 0, []
    leaving = random.sample(range(options.letters), 50)
    until = time.monotonic()
    while kills < options.kills:
        if leaving:
            gone.append(unsubscribe(instance, leaving.pop()))
        time.sleep(random.uniform(0.0, options.pause))
        for place, pid in enumerate(workers):
            dead = ended(pid)
            if not dead and time.monotonic() > until:
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
                dead = True
            if dead:
                kills += 1
                until = time.monotonic() + random.uniform(0.2, 4 * options.pause)
                workers[place] = start_worker(random.choice(POINTS))
                break
    for pid in workers:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    kills += len(workers)
    gone += [unsubscribe(instance, number) for number in leaving]
    finish(instance)
    return [kills, gone]


def finish(instance: Instance) -> None:
    """Let workers do what is left."""
    workers = [start_worker("none") for _ in range(WORKERS)]
    deadline = time.monotonic() + PATIENCE
    still_open = select(func.count()).select_from(Delivery).where(Delivery.state.in_(OPEN))
    left = 1
    while left and time.monotonic() < deadline:
        time.sleep(0.5)
        with instance.database.read() as connection:
            left = connection.execute(still_open).scalar() or 0
    for pid in workers:
        os.kill(pid, signal.SIGTERM)
    for pid in workers:
        os.waitpid(pid, 0)
    assert not left, f"{left} deliveries are still open"


def judge(log: Path, letters: int, kills: int, gone: list[tuple[str, float, bool]]) -> str:
    """Say how it went, by the relay's log alone; AssertionError where it went wrong."""
    taken: dict[str, list[tuple[str, float]]] = defaultdict(list)
    for line in log.read_text().splitlines():
        message_id, address, microseconds = line.split()
        taken[address].append((message_id, int(microseconds) / 1e6))
    left = {address for address, _, _ in gone}
    wanted = {f"s{n}@example.org" for n in range(letters) if not refuses(n)} - left
    lost = wanted - taken.keys()
    twice = sum(len(times) - 1 for times in taken.values())
    differing = [address for address, each in taken.items() if len({i for i, _ in each}) > 1]
    after = [
        address
        for address, at, under_way in gone
        if not under_way and any(time > at for _, time in taken[address])
    ]
    assert not lost, f"{len(lost)} lost: {sorted(lost)[:5]}"
    assert not differing, f"other letters: {differing[:5]}"
    assert not after, f"after they had unsubscribed: {after}"
    assert twice <= kills * CONNECTIONS, f"{twice} twice after {kills} kills"
    return f"{letters} letters, {kills} kills: 0 lost, {twice} twice, 0 after unsubscribing"


def main() -> None:
    """Send, kill, judge."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--database", required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--letters", type=int, default=20_000)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--pause", type=float, default=0.3)
    options = parser.parse_args()
    options.data.mkdir(parents=True, exist_ok=True)
    log = options.data / "taken.log"
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
    relay = sink.Behaviour(
        answer=answers(), latency=0.005, keep=False, log=os.open(log, flags, 0o600)
    )
    with sink.sink(relay) as port:
        os.environ |= {
            "MASTHEAD_DATA": str(options.data),
            "MASTHEAD_DATABASE_URL": options.database,
            "MASTHEAD_PLUGINS": "email",
            "MASTHEAD_WORKER_LEASE": "3",
            "MASTHEAD_EMAIL_TRANSPORT": f"smtp://127.0.0.1:{port}",
            "MASTHEAD_EMAIL_CONNECTIONS": str(CONNECTIONS),
            "MASTHEAD_EMAIL_TIMEOUT": "2",
            "MASTHEAD_EMAIL_PAUSES": " ".join(["1"] * 40),
        }
        instance = open_instance({})
        migrate.upgrade(instance.database, instance.plugins)
        with instance.database.transaction() as session:
            people = [
                {"email": f"s{n}@example.org", "name": f"S {n}"} for n in range(options.letters)
            ]
            session.execute(insert(Subscriber), people)
        send(instance, options.letters)
        kills, gone = kill_again_and_again(instance, options)
        instance.close()
    sys.stdout.write(judge(log, options.letters, kills, gone) + "\n")


if __name__ == "__main__":
    main()
