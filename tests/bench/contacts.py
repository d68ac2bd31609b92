"""The time of an import of 100,000 contacts, and of lists with a million."""

from __future__ import annotations

import csv
import gzip
import http.client
import json
import os
import random
import sqlite3
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlencode, urlsplit

import psycopg
from sqlalchemy import URL, Text, cast, func, insert, literal, make_url, select

from masthead import Window
from masthead.core_plugin import plugin as core
from masthead.csv import CsvRow
from masthead.db import UTCDateTime, migrate, utcnow
from masthead.instance import Instance, open_instance
from masthead.resources.csv_import import RowParser
from masthead.resources.listing import list_items
from masthead.settings import Settings
from masthead.testing.postgres import running_postgres
from masthead_crm.csv_import import CONTACTS_CSV
from masthead_crm.models import STATUSES, Contact, ContactTag, Stage
from masthead_crm.plugin import plugin as crm
from masthead_crm.resource import CONTACTS
from tests.bench import servers
from tests.bench.settling import settle

ROWS = 100_000
MANY = 1_000_000
ROUNDS = 15
DATABASES = ("sqlite", "postgresql")
QUERIES: tuple[dict[str, Any], ...] = (
    {},
    {"status": "Member"},
    {"progressionStage": "Met"},
    {"status": "Member", "progressionStage": "Met"},
    {"tag": "choir"},
    {"tag": "choir", "status": "Member", "progressionStage": "Met"},
    {"tag": "rare"},
    {"tag": "nobody"},
)


def measure() -> Iterator[str]:
    """Yield the times of imports by HTTP and by plain scripts, then those of lists."""
    with servers.folder() as folder:
        path = folder / "contacts.csv"
        _write(path)
        for kind in DATABASES:
            yield from _measure_import(kind, path, folder / kind)
    for kind in DATABASES:
        yield from _measure_lists(kind)


def _write(path: Path) -> None:
    given = os.environ.get("MASTHEAD_TEST_CONTACTS")
    if given:
        path.write_bytes(gzip.decompress(Path(given).read_bytes()))
        return
    names = random.Random(7)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(("name", "email", "phone", "status", "tags"))
        for number in range(ROWS):
            first, last = (f"{names.choice('bdfgklmn')}{names.choice('aeiou')}nna" for _ in "ab")
            email = f"{first}.{last}{number}@example.org" if names.random() > 0.03 else ""
            tags = ",".join(names.sample(["choir", "press", "board"], names.randrange(3)))
            status = names.choice(["", *STATUSES])
            writer.writerow((f"{first} {last}".title(), email, f"030 {number}", status, tags))


def _measure_import(kind: str, path: Path, folder: Path) -> Iterator[str]:
    folder.mkdir()
    with ExitStack() as stack:
        url = "" if kind == "sqlite" else stack.enter_context(running_postgres())
        settings = {"plugins": "crm news", "auth__secrets": uuid.uuid4().hex}
        settings |= {"database__url": url} if url else {}
        with servers.masthead(folder / "data", **settings) as server:
            token = _token(server)
            memory = server.memory
            with _others(server) as waits:
                seconds, answer = _upload(server, token, path)
            grown = server.memory - memory
        plain = _by_hand(path, folder / "plain.db") if kind == "sqlite" else _by_copy(path, url)
    p99 = quantiles(waits, n=100)[98] * 1000
    yield (
        f"{kind}: {answer['imported']:,} imported over HTTP in {seconds:.1f} s, by hand {plain:.1f}"
        f" s: {seconds / plain:.2f} times; {memory:.0f} MiB before, {memory + grown:.0f} after; p99"
        f" of {len(waits)} other requests meanwhile {p99:.0f} ms"
    )


def _token(server: servers.Running) -> str:
    name, password = (server.printed.split(f"{n}: ")[1].split()[0] for n in ("name", "password"))
    body = json.dumps({"username": name, "password": password})
    return str(_ask(server, "POST", "/api/auth/login", body.encode())["token"])


def _ask(server: servers.Running, method: str, path: str, body: bytes, **headers: str) -> Any:
    connection = http.client.HTTPConnection(urlsplit(server.address).netloc, timeout=300)
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request(method, path, body, named)
    answer = connection.getresponse()
    content = json.loads(answer.read())
    connection.close()
    if answer.status != 200:
        raise RuntimeError(content)
    return content


def _upload(server: servers.Running, token: str, path: Path) -> tuple[float, Any]:
    head = 'Content-Disposition: form-data; name="file"; filename="contacts.csv"'
    body = f"--limit\r\n{head}\r\n\r\n".encode() + path.read_bytes() + b"\r\n--limit--\r\n"
    began = time.perf_counter()
    answer = _ask(
        server,
        "POST",
        "/api/staff/contacts/bulk-import",
        body,
        Authorization=f"Bearer {token}",
        Content_Type="multipart/form-data; boundary=limit",
    )
    return time.perf_counter() - began, answer


@contextmanager
def _others(server: servers.Running) -> Iterator[list[float]]:
    """Send other requests meanwhile, and collect the seconds of each answer."""
    waits: list[float] = []
    done = threading.Event()

    def ask() -> None:
        while not done.wait(0.01):
            began = time.perf_counter()
            _ask(server, "GET", "/readyz", b"")
            waits.append(time.perf_counter() - began)

    thread = threading.Thread(target=ask)
    thread.start()
    try:
        yield waits
    finally:
        done.set()
        thread.join()


def _checked_rows(path: Path) -> list[tuple[Any, ...]]:
    parser = RowParser(CONTACTS_CSV, Settings({}), utcnow(), {})
    with path.open(newline="", encoding="utf-8") as file:
        parsed = [parser.parse(CsvRow(0, dict(row), None)) for row in csv.DictReader(file)]
    return [
        (name, email, key, phone, status, json.dumps(tags), json.dumps(keys), notes, *tokens)
        for name, email, phone, status, tags, notes, key, _row_key, keys, *tokens in parsed
    ]


def _by_hand(path: Path, database: Path) -> float:
    """Return the seconds of csv, the same checks and executemany into the same tables."""
    ini = {"masthead.database.url": f"sqlite:///{database}", "masthead.plugins": "crm"}
    with _opened(ini):
        pass
    began = time.perf_counter()
    seen: set[str] = set()
    rows = [
        row
        for row in _checked_rows(path)
        if row[2] is None or not (row[2] in seen or seen.add(row[2]))
    ]
    connection = sqlite3.connect(database)
    numbered = list(enumerate(rows, 1))
    connection.executemany(
        "INSERT INTO crm_contact (id, name, email, email_key, phone, status, tags, notes, revision,"
        " created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1, 'now', 'now')",
        ((n, *row[:6], row[7]) for n, row in numbered),
    )
    connection.executemany(
        "INSERT INTO crm_contact_tag (item_id, tag_key, created_at, status)"
        " VALUES (?, ?, 'now', ?)",
        ((n, key, row[4]) for n, row in numbered for key in json.loads(row[6])),
    )
    connection.executemany(
        "INSERT INTO core_search (rowid, tokens, runs) VALUES (?, ?, ?)",
        ((n, *row[8:]) for n, row in numbered),
    )
    connection.commit()
    connection.close()
    return time.perf_counter() - began


def _by_copy(path: Path, url: str) -> float:
    """Return the seconds of csv, the same checks and COPY into a table with a unique address."""
    server: URL = make_url(url).set(drivername="postgresql")
    began = time.perf_counter()
    with psycopg.connect(server.render_as_string(hide_password=False)) as connection:
        connection.execute(
            "CREATE TEMP TABLE staged (name text, email text, email_key text, phone text,"
            " status text, tags json, tag_keys json, notes text, tokens text, runs text)"
        )
        with connection.cursor() as cursor, cursor.copy("COPY staged FROM STDIN") as copy:
            for row in _checked_rows(path):
                copy.write_row(row)
        connection.execute("CREATE TABLE plain (LIKE staged, UNIQUE (email_key))")
        connection.execute("INSERT INTO plain SELECT * FROM staged ON CONFLICT DO NOTHING")
    return time.perf_counter() - began


def _measure_lists(kind: str) -> Iterator[str]:
    with ExitStack() as stack:
        folder = stack.enter_context(TemporaryDirectory(prefix="masthead-bench-"))
        is_sqlite = kind == "sqlite"
        url = f"sqlite:///{folder}/b.db" if is_sqlite else stack.enter_context(running_postgres())
        ini = {"masthead.data": folder, "masthead.plugins": "crm", "masthead.database.url": url}
        instance = stack.enter_context(_opened(ini))
        _fill(instance)
        for query in QUERIES:
            seconds, total = _median(lambda query=query: _list(instance, query))
            yield f"{kind}: ?{urlencode(query)}: {seconds * 1000:.1f} ms, {total:,} in all"


@contextmanager
def _opened(ini: dict[str, str]) -> Iterator[Instance]:
    instance = open_instance(ini, {}, {"core": core, "crm": crm})
    try:
        migrate.upgrade(instance.database, instance.plugins)
        yield instance
    finally:
        instance.close()


def _fill(instance: Instance) -> None:
    """Store a million contacts with five statuses, half of them on a stage, a tenth tagged."""
    first = select(literal(1).label("n")).cte("numbers", recursive=True)
    n = first.union_all(select(first.c.n + 1).where(first.c.n < MANY)).c.n
    now = literal(utcnow(), UTCDateTime())
    name = literal("Contact ") + cast(n, Text)
    address = literal("c") + cast(n, Text) + literal("@example.org")
    status = func.substr("".join(s.ljust(14) for s in STATUSES), n % len(STATUSES) * 14 + 1, 14)
    row = {
        "id": n,
        "name": name,
        "email": address,
        "email_key": address,
        "status": func.trim(status),
        "tags": literal([], Contact.__table__.c.tags.type),
        "stage_id": n % 2 + 1,
        "revision": literal(1),
        "created_at": now,
        "updated_at": now,
    }
    links = select(
        Contact.id, literal("choir"), Contact.created_at, Contact.status, Contact.stage_id
    )
    names = ["item_id", "tag_key", "created_at", "status", "stage_id"]
    with instance.database.transaction() as session:
        session.add_all([Stage(name=s, name_key=s.lower()) for s in ("Met", "Joined")])
        session.flush()
        session.execute(insert(Contact).from_select(list(row), select(*row.values())))
        session.execute(insert(ContactTag).from_select(names, links.where(Contact.id % 10 < 2)))
        rare = select(Contact.id, literal("rare"), *links.selected_columns[2:])
        session.execute(insert(ContactTag).from_select(names, rare.where(Contact.id < 4)))
    settle(instance.database)


def _list(instance: Instance, query: dict[str, Any]) -> int:
    with instance.database.session(read_only=True) as session:
        return list_items(session, CONTACTS, Window(50, 0), query).total


def _median(ask: Callable[[], int]) -> tuple[float, int]:
    took, total = [], ask()
    for _ in range(ROUNDS):
        began = time.perf_counter()
        total = ask()
        took.append(time.perf_counter() - began)
    return median(took), total
