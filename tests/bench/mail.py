"""The rate of delivering the outbox, compared with a script of EmailMessage and smtplib."""

from __future__ import annotations

import smtplib
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from pathlib import Path
from statistics import median
from typing import Any

from sqlalchemy import delete, insert, select

from masthead.db import migrate
from masthead.instance import Instance, open_instance
from masthead.testing.postgres import running_postgres
from masthead_email.delivery.runner import DeliveryRunner
from masthead_email.outbox import messages
from masthead_email.outbox import services as outbox
from masthead_email.outbox.models import NEWSLETTER, Delivery, Message
from masthead_email.subscribers.models import Subscriber
from tests.bench import servers

SINK = Path(__file__).resolve().parents[2] / "plugins" / "email" / "tests" / "sink.py"
SUBSCRIBERS = 100_000
COUNT, PLAIN_COUNT = 20_000, 800
SLOW_COUNT, SLOW_PLAIN_COUNT = 3_000, 800
AT_ONCE, FAR_AWAY = 64, 10
"""Connections to a relay without latency, and to one with latency."""
MILLION = 1_000_000
WATCHED = 25.0
"""Seconds to measure the memory of a worker that sends a million messages."""
ROUNDS = 3
WORDS = "The winter was long, and you brought us two hundred and sixty-four broken things. "
HTML = (
    "<html><body><h1>Dear {{name}},</h1>"
    + f"<p style='font-size:16px'>{WORDS}</p>\n" * 85
    + "<p>Sent to {{email}}. <a href='{{unsubscribe}}'>Leave</a></p></body></html>"
)
TEXT = "Dear {{name}},\n\n" + f"{WORDS}\n" * 30 + "\nSent to {{email}}: {{unsubscribe}}\n"


def measure() -> Iterator[str]:
    """Yield rates and ratios on both databases, without and with latency."""
    yield f"a message has {len(_plain_message(1).as_bytes()) / 1024:.1f} KB"
    for kind in ("SQLite", "PostgreSQL"):
        with _instance(kind) as instance:
            yield f"{kind}: send to {SUBSCRIBERS:,} subscribers takes {_fan_out(instance):.2f} s"
            yield f"{kind}, no latency: {_compare(instance, 0.0)}"
            yield f"{kind}, 20 ms latency: {_compare(instance, 0.02)}"
    yield _memory()


def _compare(instance: Instance, latency: float) -> str:
    rates: list[tuple[float, float]] = []
    for _ in range(ROUNDS):
        with _sink(latency) as port:
            if latency:
                script = _script_rate(port, SLOW_PLAIN_COUNT, FAR_AWAY)
                rates.append((script, _our_rate(instance, port, SLOW_COUNT, FAR_AWAY)))
            else:
                script = _script_rate(port, PLAIN_COUNT, 1)
                rates.append((script, _our_rate(instance, port, COUNT, AT_ONCE)))
    ratio = median(ours / script for script, ours in rates)
    script, here = (median(each[i] for each in rates) for i in (0, 1))
    return f"{here:,.0f} messages/s, the script {script:,.0f}: {ratio:.1f} times"


def _memory() -> str:
    """Return the memory of a worker with all plugins that sends a million messages."""
    with servers.folder() as data, _sink(0.0) as port:
        for instance in _opened(data, f"sqlite:///{data}/masthead.db", MILLION, plugins=""):
            took = _queue(instance, MILLION)
            most = _most_memory_of_worker(data, port)
            with instance.database.transaction() as session:
                ((counted),) = outbox.counts(session, [1]).values()
    return (
        f"{MILLION:,} recipients, queued in {took:.1f} s: the worker takes {most:.0f} MiB"
        f" ({most * 1.048576:.0f} MB); {counted['sent']:,} sent so far"
    )


def _most_memory_of_worker(data: Path, port: int) -> float:
    """Return the peak memory of a worker in MiB after some seconds of sending."""
    environ = servers.environ(data, email__transport=f"smtp://127.0.0.1:{port}")
    command, quiet = [*servers.MASTHEAD, "worker"], subprocess.DEVNULL
    with subprocess.Popen(command, env=environ, stdout=quiet, stderr=quiet) as worker:
        time.sleep(WATCHED)
        most = servers.peak(worker.pid)
        worker.terminate()
    return most


def _configure(instance: Instance, port: int, connections: int) -> None:
    settings: Any = instance.settings
    settings._values["masthead.email.transport"] = f"smtp://127.0.0.1:{port}"
    settings._values["masthead.email.connections"] = connections


def _our_rate(instance: Instance, port: int, count: int, connections: int) -> float:
    _queue(instance, count)
    _configure(instance, port, connections)
    runner = DeliveryRunner(instance)
    began = time.perf_counter()
    while runner.run(instance, lambda: True):
        pass
    seconds = time.perf_counter() - began
    with instance.database.transaction() as session:
        states = set(session.scalars(select(Delivery.state).distinct()))
        assert states == {"sent"}, states
    _empty(instance)
    return count / seconds


def _script_rate(port: int, count: int, threads: int) -> float:
    """Return the rate of a script with one connection per thread."""

    def send(numbers: range) -> None:
        with smtplib.SMTP("127.0.0.1", port) as relay:
            for number in numbers:
                relay.send_message(_plain_message(number))

    began = time.perf_counter()
    share = count // threads
    running = [
        threading.Thread(target=send, args=(range(n * share, (n + 1) * share),))
        for n in range(threads)
    ]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()
    return share * threads / (time.perf_counter() - began)


def _plain_message(number: int) -> EmailMessage:
    values = {
        "{{name}}": f"Subscriber {number}",
        "{{email}}": f"s{number}@example.org",
        "{{unsubscribe}}": f"https://api.example.org/api/newsletter/unsubscribe/{number}-abcdef",
    }
    html, text = HTML, TEXT
    for placeholder, value in values.items():
        html, text = html.replace(placeholder, value), text.replace(placeholder, value)
    message = EmailMessage()
    message["From"] = "Our Club <news@example.org>"
    message["To"] = f"Subscriber {number} <s{number}@example.org>"
    message["Subject"] = "Spring news"
    message["Date"] = formatdate()
    message["Message-ID"] = make_msgid(domain="example.org")
    message["List-Unsubscribe"] = f"<{values['{{unsubscribe}}']}>"
    message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    message.set_content(text)
    message.add_alternative(html, subtype="html")
    return message


def _fan_out(instance: Instance) -> float:
    took = _queue(instance, SUBSCRIBERS)
    _empty(instance)
    return took


def _empty(instance: Instance) -> None:
    with instance.database.transaction() as session:
        for model in (Delivery, Message):
            session.execute(delete(model))


def _queue(instance: Instance, count: int) -> float:
    """Queue a newsletter for a number of subscribers; return the transaction's seconds."""
    began = time.perf_counter()
    with instance.database.transaction() as session:
        message = messages.create_message(
            session,
            kind=NEWSLETTER,
            source_id=1,
            subject="Spring news",
            html=HTML,
            text=TEXT,
            unsubscribe=True,
        )
        some = select(Subscriber.email, Subscriber.name, Subscriber.id)
        some = some.where(Subscriber.status == "subscribed", Subscriber.id <= count)
        assert messages.fan_out(session, message, some) == count
    return time.perf_counter() - began


@contextmanager
def _instance(kind: str) -> Iterator[Instance]:
    with servers.folder() as data:
        if kind == "SQLite":
            yield from _opened(data, f"sqlite:///{data}/masthead.db")
        else:
            with running_postgres() as url:
                yield from _opened(data, url)


def _ini(data: Path, url: str, plugins: str) -> dict[str, str]:
    return {
        "masthead.data": str(data),
        "masthead.database.url": url,
        "masthead.plugins": plugins,
        "masthead.email.from": "Our Club <news@example.org>",
        "masthead.base_url": "https://api.example.org",
    }


def _opened(
    data: Path, url: str, subscribers: int = SUBSCRIBERS, plugins: str = "email"
) -> Iterator[Instance]:
    instance = open_instance(_ini(data, url, plugins), {})
    try:
        migrate.upgrade(instance.database, instance.plugins)
        with instance.database.transaction() as session:
            rows = [
                {"email": f"s{number}@example.org", "name": f"Subscriber {number}"}
                for number in range(subscribers)
            ]
            session.execute(insert(Subscriber), rows)
        yield instance
    finally:
        instance.close()


@contextmanager
def _sink(latency: float) -> Iterator[int]:
    command = [sys.executable, str(SINK), "--latency", str(latency)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        yield int(process.stdout.readline())
        process.stdin.close()
