"""Sends a newsletter by a worker and a server that are killed repeatedly; run as a program.

It checks the log of the relay: no recipient is missing, duplicates have the same Message-ID, and no
unsubscribed recipient gets a message.
"""

from __future__ import annotations

import argparse
import http.client
import importlib.util
import json
import os
import random
import re
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

from sqlalchemy import func, insert, select, update

# Imported once here instead of in each forked process.
from masthead.cli import main as masthead
from masthead.db import migrate
from masthead.instance import Instance, open_instance
from masthead_email.delivery.store import DeliveryStore
from masthead_email.newsletters import sending
from masthead_email.newsletters.models import Newsletter
from masthead_email.outbox.models import OPEN, SENDING, Delivery
from masthead_email.smtp.channel import Channel
from masthead_email.subscribers.models import Subscriber

CONNECTIONS = 4
WORKER = ("worker",)
SERVER = ("serve", "--port", "0")
"""A server with a built-in worker."""
POINTS = ("claim", "sending", "dot", "acknowledgement", "committed", "none")
FAN_OUT = "fan-out"
TIMEOUT = 240.0
"""Seconds for the remaining deliveries after the last kill."""

spec = importlib.util.spec_from_file_location("sink", Path(__file__).with_name("sink.py"))
assert spec is not None
assert spec.loader is not None
sink = importlib.util.module_from_spec(spec)
sys.modules["sink"] = sink
spec.loader.exec_module(sink)


def refuses(number: int) -> bool:
    """Whether the relay always rejects this subscriber."""
    return number % 97 == 2


def answers() -> Callable[[str, bytes], bytes | None]:
    """Return replies with permanent rejections, and one fault per address: 4xx, close or stall."""
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
    """Kill this process."""
    os.kill(os.getpid(), signal.SIGKILL)


def arm(point: str, countdown: int) -> None:
    """Make this process kill itself when it reaches a point the given number of times."""
    left = [countdown]

    def pass_by(here: str) -> None:
        if here == point:
            left[0] -= 1
            if left[0] <= 0:
                die()

    _after(DeliveryStore, "claim", lambda: pass_by("claim"))
    _after(Channel, "receive", lambda: pass_by("acknowledgement"))
    _after(Channel, "write", lambda: pass_by("dot"))
    _after(
        DeliveryStore, "commit_results", lambda: pass_by(random.choice(("sending", "committed")))
    )
    _after(sending, "fan_out", lambda: pass_by(FAN_OUT))


def _after(owner: Any, name: str, then: Callable[[], None]) -> None:
    original = getattr(owner, name)

    def wrapped(*arguments: Any, **named: Any) -> Any:
        result = original(*arguments, **named)
        if result or name in ("write", "commit_results"):
            then()
        return result

    setattr(owner, name, wrapped)


def start(command: Sequence[str], point: str) -> int:
    """Fork a process that runs a command and kills itself at a point, or at none."""
    pid = os.fork()
    if pid:
        return pid
    log = os.open(printed(), os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.dup2(log, 1)
    os.dup2(log, 2)
    random.seed()
    # Some wrapped functions run per message, others per batch.
    arm(point, 1 if point in ("claim", FAN_OUT) else random.randint(1, 60))
    try:
        masthead(command)
    except SystemExit as end:
        os._exit(int(str(end.code)))
    os._exit(70)


def printed() -> Path:
    """Return the path of the log of all processes."""
    return Path(os.environ["MASTHEAD_DATA"], "printed.log")


def ended(pid: int) -> bool:
    """Whether a process has ended."""
    return os.waitpid(pid, os.WNOHANG)[0] == pid


def send(instance: Instance, messages: int) -> int:
    """Send the newsletter by a server that is killed before its first commit, and by another one.

    :returns: the process id of the second server.
    """
    with instance.database.transaction() as session:
        html = "<p>Hello {{name}}</p>" + "<p>.</p>" * 200
        newsletter = Newsletter(title="Hi", subject="Hi {{name}}", html_content=html)
        newsletter.approval_status = "approved"
        session.add(newsletter)
        session.flush()
        path = f"/api/staff/newsletters/{newsletter.id}/send"
    killed = start(SERVER, FAN_OUT)
    try:
        ask(path, {}, logged_in())
    except (http.client.HTTPException, OSError):
        os.waitpid(killed, 0)
    with instance.database.read() as connection:
        assert not connection.execute(select(func.count()).select_from(Delivery)).scalar()
    printed().write_bytes(printed().read_bytes().replace(b"Masthead answers", b""))
    server = start(SERVER, "none")
    assert ask(path, {}, logged_in())["sentTo"] == messages
    return server


def logged_in() -> str:
    """Return a token of the first administrator."""
    found = re.search(r"username: (\S+)\n +password: (\S+)", wait_for("Masthead answers"))
    assert found is not None
    return str(ask("/api/auth/login", {"username": found[1], "password": found[2]})["token"])


def ask(path: str, body: Any, token: str = "") -> Any:
    """Return the response of the server to a POST."""
    found = re.findall(r"Masthead answers at (\S+)", wait_for("Masthead answers"))
    headers = {"Content-Type": "application/json"} | (
        {"Authorization": f"Bearer {token}"} if token else {}
    )
    with urlopen(Request(found[-1] + path, json.dumps(body).encode(), headers)) as answer:
        return json.load(answer)


def wait_for(line: str) -> str:
    """Wait until the log contains a line; return the log."""
    deadline = time.monotonic() + TIMEOUT
    while line not in (text := printed().read_text() if printed().exists() else ""):
        assert time.monotonic() < deadline, text
        time.sleep(0.05)
    return text


def unsubscribe(instance: Instance, number: int) -> tuple[str, float, bool]:
    """Unsubscribe a recipient; return address, commit time, and whether it was in transit."""
    address = f"s{number}@example.org"
    with instance.database.transaction() as session:
        mine = update(Subscriber).where(Subscriber.email == address)
        session.execute(mine.values(status="unsubscribed", unsubscribed_at=datetime.now(UTC)))
        state = session.scalar(select(Delivery.state).where(Delivery.address == address))
    return address, time.time(), state == SENDING


def kill_again_and_again(instance: Instance, options: argparse.Namespace, server: int) -> list[Any]:
    """Kill a worker and a server at chosen points and at random, while subscribers leave."""
    running = {WORKER: start(WORKER, random.choice(POINTS)), SERVER: server}
    kills, gone = dict.fromkeys(running, 0), []
    leaving = random.sample(range(options.messages), 50)
    until = time.monotonic()
    while sum(kills.values()) < options.kills:
        if leaving:
            gone.append(unsubscribe(instance, leaving.pop()))
        time.sleep(random.uniform(0.0, options.pause))
        for command, pid in random.sample([*running.items()], len(running)):
            dead = ended(pid)
            if not dead and time.monotonic() > until:
                kill(pid)
                dead = True
            if dead:
                kills[command] += 1
                until = time.monotonic() + random.uniform(0.2, 4 * options.pause)
                running[command] = start(command, random.choice(POINTS))
                break
    for command, pid in running.items():
        kill(pid)
        kills[command] += 1
    gone += [unsubscribe(instance, number) for number in leaving]
    finish(instance)
    return [kills, gone]


def kill(pid: int) -> None:
    """Kill a process."""
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)


def finish(instance: Instance) -> None:
    """Run a worker and a server until no delivery is open."""
    running = [start(command, "none") for command in (WORKER, SERVER)]
    deadline = time.monotonic() + TIMEOUT
    still_open = select(func.count()).select_from(Delivery).where(Delivery.state.in_(OPEN))
    left = 1
    while left and time.monotonic() < deadline:
        time.sleep(0.5)
        with instance.database.read() as connection:
            left = connection.execute(still_open).scalar() or 0
    for pid in running:
        os.kill(pid, signal.SIGTERM)
    for pid in running:
        os.waitpid(pid, 0)
    assert not left, f"{left} deliveries are still open"


def check_log(
    log: Path, messages: int, killed: dict[Any, int], gone: list[tuple[str, float, bool]]
) -> str:
    """Check the log of the relay; return a summary."""
    taken: dict[str, list[tuple[str, float]]] = defaultdict(list)
    for line in log.read_text().splitlines():
        message_id, address, microseconds = line.split()
        taken[address].append((message_id, int(microseconds) / 1e6))
    left = {address for address, _, _ in gone}
    wanted = {f"s{n}@example.org" for n in range(messages) if not refuses(n)} - left
    lost = wanted - taken.keys()
    twice = sum(len(times) - 1 for times in taken.values())
    differing = [address for address, each in taken.items() if len({i for i, _ in each}) > 1]
    after = [
        address
        for address, at, in_transit in gone
        if not in_transit and any(time > at for _, time in taken[address])
    ]
    kills = sum(killed.values())
    assert not lost, f"{len(lost)} lost: {sorted(lost)[:5]}"
    assert not differing, f"different Message-IDs: {differing[:5]}"
    assert not after, f"sent after unsubscribing: {after}"
    assert twice <= kills * CONNECTIONS, f"{twice} duplicates after {kills} kills"
    return (
        f"{messages} messages, {killed[WORKER]} kills of a worker and {killed[SERVER]} of a server:"
        f" 0 lost, {twice} duplicates of {kills * CONNECTIONS} allowed, 0 after unsubscribing"
    )


def main() -> None:
    """Send a newsletter, kill the processes, and check the result."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--database", required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--messages", type=int, default=20_000)
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
            "MASTHEAD_AUTH_SECRETS": "4d0f2c77b1e94a8c9f63a1d85be27c06",
            "MASTHEAD_WORKER_LEASE": "3",
            "MASTHEAD_EMAIL_TRANSPORT": f"smtp://127.0.0.1:{port}",
            "MASTHEAD_EMAIL_CONNECTIONS": str(CONNECTIONS),
            "MASTHEAD_EMAIL_TIMEOUT": "2",
            "MASTHEAD_EMAIL_RETRY_DELAYS": " ".join(["1"] * 40),
        }
        instance = open_instance({})
        migrate.upgrade(instance.database, instance.plugins)
        with instance.database.transaction() as session:
            people = [
                {"email": f"s{n}@example.org", "name": f"S {n}"} for n in range(options.messages)
            ]
            session.execute(insert(Subscriber), people)
        server = send(instance, options.messages)
        kills, gone = kill_again_and_again(instance, options, server)
        instance.close()
    sys.stdout.write(check_log(log, options.messages, kills, gone) + "\n")


if __name__ == "__main__":
    main()
