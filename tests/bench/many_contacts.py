"""The cost of work among a million contacts and as many subscribers on PostgreSQL.

``many_contacts=10000000`` measures among ten million, which need 25 GB of disk in ``TMPDIR``.
"""

from __future__ import annotations

import http.client
import json
import resource
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import urlsplit

import psycopg

from masthead.db import migrate
from masthead.instance import open_instance
from masthead.testing.postgres import control, running_postgres
from tests.bench import servers
from tests.bench.filled_contacts import FIRST_NAMES, fill, name_of

SIZE, ADDED = 1_000_000, 10_000
ROUNDS = 5
PATIENCE = 3_600
YEAR = 365 * 24 * 3_600
MEMORY = {
    "shared_buffers": "2GB",
    "effective_cache_size": "8GB",
    "maintenance_work_mem": "1GB",
    "max_wal_size": "4GB",
}
"""The settings of a server with some memory; all others are those of PostgreSQL."""
SETTINGS = {
    "plugins": "crm email news",
    "worker__inside": "false",
    "auth__secrets": "5e8b7f0a4b7c4c0e9a3e0d6d1f2a9b48",
    "base_url": "https://api.example.org",
    "email__from": "Our Club <news@example.org>",
}
CONTACTS, SUBSCRIBERS = "/api/staff/contacts", "/api/staff/newsletter-subscribers"
NEWSLETTERS = "/api/staff/newsletters"
COMMANDS = ("doctor", "db status", "db check", "db upgrade", "contacts export {}/contacts.csv")


@dataclass
class Client:
    """A client with the token of the administrator."""

    server: servers.Running
    headers: dict[str, str] = field(default_factory=dict)

    def send(
        self, method: str, path: str, body: Any = None
    ) -> tuple[http.client.HTTPResponse, bytes]:
        """Send a request, and return the answer with its body."""
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        connection = http.client.HTTPConnection(
            urlsplit(self.server.address).netloc, timeout=PATIENCE
        )
        named = {"Content-Type": "application/json", **self.headers}
        connection.request(method, path, None if body is None else content, named)
        answer = connection.getresponse()
        received = answer.read()
        connection.close()
        return answer, received

    def json(self, method: str, path: str, body: Any = None) -> Any:
        """Send a request, and return the value of the answer.

        :raises RuntimeError: for an error.
        """
        answer, received = self.send(method, path, body)
        if answer.status not in (200, 201):
            raise RuntimeError(f"{method} {path}: {answer.status} {received[:300]!r}")
        return json.loads(received)


def measure(value: str = "") -> Iterator[str]:
    """Yield the times of lists, searches, newsletters, imports, exports and checks.

    :param value: the number of contacts, and of subscribers.
    """
    size = int(value or SIZE)
    with filled(size) as (data, url):
        yield from examine(data, url, size)


@contextmanager
def filled(size: int) -> Iterator[tuple[Path, str]]:
    """Make a database with contacts; yield the data folder of an instance, and the URL."""
    with servers.folder() as folder, running_postgres() as url:
        with psycopg.connect(url, autocommit=True) as connection:
            for name, value in MEMORY.items():
                connection.execute(f"ALTER SYSTEM SET {name} = '{value}'")
        control(url, "restart")
        ini = {f"masthead.{name.replace('__', '.')}": it for name, it in SETTINGS.items()}
        ini |= {"masthead.data": str(folder / "data"), "masthead.database.url": url}
        instance = open_instance(ini, {})
        try:
            migrate.upgrade(instance.database, instance.plugins)
            fill(instance.database, size)
        finally:
            instance.close()
        yield folder / "data", url


def examine(data: Path, url: str, size: int) -> Iterator[str]:
    """Yield the measurements of a filled database."""
    settings = {**SETTINGS, "database__url": url}
    with psycopg.connect(url) as connection:
        row = connection.execute("SELECT pg_database_size(current_database())").fetchone()
    assert row is not None
    yield f"{size:,} contacts and as many subscribers: {row[0] / 1e9:.1f} GB"
    with servers.masthead(data, **settings) as server:
        client = _logged_in(server)
        for title, path in _reads(size).items():
            yield f"{title}: {_read(client, path)}"
        yield from _writes(client, size)
        yield from _newsletters(client)
        yield _import(client, size)
    yield from _commands(data, settings)


def _logged_in(server: servers.Running) -> Client:
    client = Client(server)
    name, password = (server.printed.split(f"{n}: ")[1].split()[0] for n in ("name", "password"))
    login = {"username": name, "password": password}
    token = client.json("POST", "/api/auth/login", login)["token"]
    client.headers["Authorization"] = f"Bearer {token}"
    return client


def _reads(size: int) -> dict[str, str]:
    """Return the paths of lists and searches, by their description."""
    first, last, met = name_of(7, "f"), name_of(11, "l"), "progressionStage=Met"
    far, here = size * 9 // 10, f"{CONTACTS}?limit=50"
    theirs, recent, fifth = f"{SUBSCRIBERS}?limit=50", _time_ago(10_000), size // 5
    return {
        "contacts, first page": here,
        "contacts with a status": f"{here}&status=Member",
        "contacts at a stage": f"{here}&{met}",
        "contacts with a status at a stage": f"{here}&status=Member&{met}",
        "contacts with a tag": f"{here}&tag=choir",
        "contacts with a tag, a status and a stage": f"{here}&tag=press&status=Member&{met}",
        "contacts with a rare tag": f"{here}&tag=rare",
        "contacts that mail reaches": f"{here}&deliverable=true",
        "contacts that no mail reaches": f"{here}&deliverable=false",
        "contacts changed since three hours": f"{here}&updatedSince={recent}",
        "contacts after nine tenths": f"{here}&offset={far}",
        "after nine tenths of a status": f"{here}&status=Member&offset={fifth * 9 // 10}",
        "search for an address": f"{here}&search=c{size // 2}",
        "search for a first and a last name": f"{here}&search={first}%20{last}",
        f"search for a first name of {FIRST_NAMES:,}": f"{here}&search={first}",
        "search for a beginning of names": f"{here}&search={first[:3]}",
        "search for one letter": f"{here}&search={first[0]}",
        "search for a word of all": f"{here}&search=example",
        "search for a first name with a status": f"{here}&search={first}&status=Contact",
        "search for a first name with a tag": f"{here}&search={first}&tag=press",
        "one contact": f"{CONTACTS}/{size // 2}",
        "duplicates by address": f"{CONTACTS}/duplicates?reason=email",
        "duplicates": f"{CONTACTS}/duplicates",
        "subscribers, first page": theirs,
        "subscribers with a status": f"{theirs}&status=unsubscribed",
        "subscribers by time of change": f"{theirs}&sort=-updatedAt",
        "subscribers with a language": f"{theirs}&language=de",
        "subscribers that pause": f"{theirs}&paused=true",
        "subscribers that mail reaches": f"{theirs}&deliverable=true",
        "subscribers after nine tenths": f"{theirs}&offset={far}",
        "search for a subscriber": f"{theirs}&search=s{size // 2}",
        "suppressions": "/api/staff/email/suppressions?limit=50",
        "scrape of the status": "/api/staff/system",
    }


def _read(client: Client, path: str) -> str:
    """Return the median time of an answer, and its total."""
    took: list[float] = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        answer, received = client.send("GET", path)
        took.append(time.perf_counter() - began)
        if answer.status != 200:
            return f"{answer.status} after {took[-1]:.1f} s: {received[:120].decode()}"
        if took[-1] > 10:
            break
    total = answer.headers.get("X-Total-Count")
    found = "" if total is None else f", {int(total):,} in all"
    return f"{median(took) * 1000:,.1f} ms{found}"


def _timed(client: Client, method: str, path: str, body: Any = None) -> tuple[float, str]:
    """Return the seconds of a request, and its status with the beginning of the answer."""
    began = time.perf_counter()
    answer, received = client.send(method, path, body)
    return time.perf_counter() - began, f"{answer.status} {received[:160].decode()}"


def _writes(client: Client, size: int) -> Iterator[str]:
    """Yield the times of changes of single items."""
    created: list[float] = []
    changed: list[float] = []
    for number in range(20):
        values: dict[str, Any] = {
            "name": f"Ada Neumann {number}",
            "email": f"ada{number}@example.net",
            "tags": ["Choir"],
        }
        created.append(_timed(client, "POST", CONTACTS, values)[0])
        path = f"{CONTACTS}/{size // 3 + number}"
        changed.append(_timed(client, "PUT", path, {"status": "Prospect"})[0])
    yield f"a contact created: {median(created) * 1000:.1f} ms"
    yield f"a contact changed: {median(changed) * 1000:.1f} ms"


def _newsletters(client: Client) -> Iterator[str]:
    """Yield the times to count audiences, and to send a newsletter to everybody."""
    letter = {"title": "May", "subject": "May", "html_content": "<p>Hello {{name}}</p>"}
    for name, segment in _segments().items():
        made = client.json("POST", NEWSLETTERS, letter | segment)["id"]
        yield f"audience, {name}: {_timed(client, 'GET', f'{NEWSLETTERS}/{made}/audience')}"
    made = client.json("POST", NEWSLETTERS, letter)["id"]
    item = {"contentType": "newsletters", "contentId": made}
    for move in ("request", "approve"):
        client.json("POST", f"/api/staff/approval/{move}", item)
    yield f"a newsletter queued: {_timed(client, 'POST', f'{NEWSLETTERS}/{made}/send', {})}"
    yield f"its deliveries: {_timed(client, 'GET', f'{NEWSLETTERS}/{made}/deliveries')}"


def _segments() -> dict[str, dict[str, Any]]:
    """Return the fields of newsletters that choose subscribers, by their description."""
    return {
        "everybody": {},
        "a topic": {"audience_topics": ["Garden"]},
        "a source": {"audience_sources": ["import"]},
        "a language": {"audience_languages": ["de"]},
        "since a year ago": {"audience_since": _time_ago(YEAR)},
    }


def _time_ago(seconds: int) -> str:
    """Return the time that was some seconds ago, as JSON."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - seconds))


def _import(client: Client, size: int) -> str:
    """Return the time of an import of further contacts, a tenth of which exists."""
    numbers = range(size + 1 - ADDED // 10, size + 1 + ADDED - ADDED // 10)
    rows = [f'Eva Lund {n},c{n}@example.org,030 {n},Member,"Choir, Press"' for n in numbers]
    table = "\n".join(["name,email,phone,status,tags", *rows])
    head = 'Content-Disposition: form-data; name="file"; filename="contacts.csv"'
    body = f"--limit\r\n{head}\r\n\r\n{table}\r\n--limit--\r\n".encode()
    kind = {"Content-Type": "multipart/form-data; boundary=limit"}
    uploading = Client(client.server, client.headers | kind)
    return f"import of {ADDED:,} rows: {_timed(uploading, 'POST', f'{CONTACTS}/bulk-import', body)}"


def _commands(data: Path, settings: dict[str, str]) -> Iterator[str]:
    """Yield the times of commands, and the memory of the largest one so far."""
    for command in COMMANDS:
        began = time.perf_counter()
        subprocess.run(
            [*servers.MASTHEAD, *command.format(data).split()],
            env=servers.environ(data, **settings),
            capture_output=True,
            check=False,
        )
        seconds = time.perf_counter() - began
        most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        yield f"masthead {command.format('…')}: {seconds:.1f} s, {most:.0f} MiB at most"
