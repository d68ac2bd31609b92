"""The results of many threads that write at the same time on SQLite."""

from __future__ import annotations

import http.client
import json
import threading
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from tests.bench import servers

THREADS = 20
WRITES = 25


def measure() -> Iterator[str]:
    """Yield the results of creates, and of updates of one article, by twenty threads."""
    with servers.folder() as data, servers.masthead(data / "data", server__threads="20") as server:
        token = _log_in(server)
        creates = _at_once(server, token, "POST", "/api/staff/news")
        [stored] = _ask(server, token, "GET", "/api/staff/news?limit=1", "X-Total-Count")
        article = _ask(server, token, "POST", "/api/staff/news", body={"title": "One"})[0]["id"]
        updates = _at_once(server, token, "PUT", f"/api/staff/news/{article}")
        [revision] = _ask(server, token, "GET", f"/api/staff/news/{article}", "ETag")
        locked = server.log.read_text().count("locked")
    yield _report("creates", creates, int(stored))
    yield _report("updates of one article", updates, int(revision.strip('"')) - 1)
    yield f"locked: {locked}"


def _report(what: str, outcome: tuple[Counter[int], float], stored: int) -> str:
    statuses, seconds = outcome
    done = statuses[200]
    return (
        f"{what}: {done} acknowledged, {stored} stored, lost: {done - stored},"
        f" others: {dict(statuses - Counter({200: done}))}, {done / seconds:.0f}/s"
    )


def _at_once(
    server: servers.Running, token: str, method: str, path: str
) -> tuple[Counter[int], float]:
    statuses: Counter[int] = Counter()
    lock, start = threading.Lock(), threading.Barrier(THREADS + 1)

    def write(writer: int) -> None:
        connection = _connect(server)
        start.wait()
        for number in range(WRITES):
            body = json.dumps({"title": f"Writer {writer}, number {number}"})
            connection.request(method, path, body, {"Authorization": f"Bearer {token}"})
            answer = connection.getresponse()
            answer.read()
            with lock:
                statuses[answer.status] += 1
        connection.close()

    threads = [threading.Thread(target=write, args=(writer,)) for writer in range(THREADS)]
    for thread in threads:
        thread.start()
    start.wait()
    began = time.perf_counter()
    for thread in threads:
        thread.join()
    return statuses, time.perf_counter() - began


def _log_in(server: servers.Running) -> str:
    name, password = (server.printed.split(f"{n}: ")[1].split()[0] for n in ("name", "password"))
    body = {"username": name, "password": password}
    return str(_ask(server, "", "POST", "/api/auth/login", body=body)[0]["token"])


def _ask(
    server: servers.Running, token: str, method: str, path: str, header: str = "", body: Any = None
) -> list[Any]:
    """Return the answer's header of that name, or its body."""
    connection = _connect(server)
    sent = json.dumps(body) if body is not None else None
    connection.request(method, path, sent, {"Authorization": f"Bearer {token}"})
    answer = connection.getresponse()
    read = json.loads(answer.read())
    connection.close()
    assert answer.status == 200, read
    return [answer.headers[header] if header else read]


def _connect(server: servers.Running) -> http.client.HTTPConnection:
    return http.client.HTTPConnection(urlsplit(server.address).netloc, timeout=60)
