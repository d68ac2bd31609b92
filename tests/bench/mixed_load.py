"""The requests and imports of a busy site: distinct reads, saves, uploads, renditions, imports."""

from __future__ import annotations

import http.client
import json
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from itertools import count, islice
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from tests.bench import servers
from tests.bench.media import form, numbered, photograph

FEW = Path(__file__).resolve().parents[2] / "core" / "tests" / "search" / "articles.jsonl"
CONNECTIONS = 4
USUAL = 9
"""How much longer a usual article is than those of the tests."""
WIDTHS = (320, 640, 960, 1280, 1920)
PHOTOGRAPH = 2_000_000  # bytes, approximately
READS = (
    "/api/news?limit={limit}&offset={n}",
    "/api/news?search={word}&offset={n}",
    "/api/news?tag=tag-{tag}&offset={n}",
    "/api/news?limit=20&utm={n}",
    "/api/news/article-{slug}?utm={n}",
    "/api/news/{id}/related?utm={n}",
    "/api/news/missing-{n}",
    "/api/missing/{n}",
    "/api/events?upcoming=true&offset={n}",
    "/api/feed/news?utm={n}",
    "/api/staff/news?search={word}&limit=20&offset={n}",
    "/api/staff/news/{id}?utm={n}",
    "/api/staff/contacts?search={word}&limit=50&offset={n}",
    "/api/staff/contacts?limit={limit}&offset={n}",
)
"""Addresses that differ by the number of the request; some of them answer 404."""


class MixedLoad:
    """A client of a running server; each request has an address or body of its own."""

    def __init__(self, data: Path, server: servers.Running, token: str) -> None:
        self._data = data
        self._netloc = urlsplit(server.address).netloc
        self._headers = {"Authorization": f"Bearer {token}"}
        self._numbers = count(1)
        self._articles = read_articles()
        self._words = _words(self._articles)
        self._photograph = photograph(PHOTOGRAPH)

    def read(self, requests: int) -> None:
        """Send reading requests over some connections at once."""
        numbers = [next(self._numbers) for _ in range(requests)]

        def work(own: list[int]) -> None:
            with closing(self._connect()) as connection:
                for number in own:
                    self._ask(connection, "GET", self._address(number))

        at_once([partial(work, numbers[i::CONNECTIONS]) for i in range(CONNECTIONS)])

    def save(self, articles: int) -> None:
        """Create articles by the API, and change each of them."""
        with closing(self._connect()) as connection:
            for _ in range(articles):
                values = json.dumps(self._article(next(self._numbers))).encode()
                made = self._ask(connection, "POST", "/api/staff/news", values)
                self._ask(connection, "PUT", f"/api/staff/news/{made['id']}", values)

    def upload(self, images: int) -> None:
        """Upload photographs, two at a time, and request each in all widths."""

        def work(share: int) -> None:
            for _ in range(share):
                self._upload_one()

        at_once([partial(work, share) for share in (images - images // 2, images // 2)])

    def import_contacts(self, rows: int) -> None:
        """Upload a CSV file of new contacts."""
        first = next(islice(self._numbers, rows, None))
        lines = ["name,email,tags"]
        lines += [f"Ada {n},a{n}@example.org,choir" for n in range(first - rows, first)]
        body = form("\n".join(lines).encode(), "contacts.csv")
        with closing(self._connect()) as connection:
            self._ask(connection, "POST", "/api/staff/contacts/bulk-import", body, is_form=True)

    def import_articles(self, articles: int) -> None:
        """Import published articles by the command, in a process beside the server."""
        write_articles(self._data.parent / "articles.jsonl", articles, self._articles)
        arguments = ("--publish", "--as", "admin", "news")
        servers.run(self._data, "import", *arguments, str(self._data.parent / "articles.jsonl"))

    def _address(self, number: int) -> str:
        return READS[number % len(READS)].format(
            n=number,
            id=number % 900 + 1,
            slug=number % 900,
            tag=number % 13,
            limit=number % 50 + 1,
            word=quote(self._words[number % len(self._words)]),
        )

    def _article(self, number: int) -> dict[str, Any]:
        values = {**self._articles[number % len(self._articles)], "title": f"Saved {number}"}
        return {name: values[name] for name in ("title", "description", "content")}

    def _upload_one(self) -> None:
        body = form(numbered(self._photograph, next(self._numbers)), "a.jpg")
        with closing(self._connect()) as connection:
            made = self._ask(connection, "POST", "/api/staff/upload/image", body, is_form=True)
            for width in WIDTHS:
                self._ask(connection, "GET", f"{made['url']}?w={width}")

    def _connect(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection(self._netloc, timeout=300)

    def _ask(
        self,
        connection: http.client.HTTPConnection,
        method: str,
        path: str,
        body: bytes | None = None,
        *,
        is_form: bool = False,
    ) -> Any:
        kind = "multipart/form-data; boundary=cut" if is_form else "application/json"
        connection.request(method, path, body, {**self._headers, "Content-Type": kind})
        answer = connection.getresponse()
        read = answer.read()
        if answer.status not in (200, 404) or (answer.status == 404 and method != "GET"):
            raise RuntimeError(f"{method} {path}: {answer.status} {read[:200]!r}")
        is_json = answer.headers.get_content_type() == "application/json"
        return json.loads(read) if is_json and method != "GET" else None


def at_once(works: list[Callable[[], object]]) -> None:
    """Run functions in threads; raise the first error, if any."""
    with ThreadPoolExecutor(len(works)) as threads:
        for done in [threads.submit(work) for work in works]:
            done.result()


def read_articles() -> list[dict[str, Any]]:
    """Return articles of the tests, or of the file that ``MASTHEAD_TEST_ARTICLES`` names."""
    given = os.environ.get("MASTHEAD_TEST_ARTICLES")
    articles = [json.loads(line) for line in Path(given or FEW).read_bytes().splitlines()]
    for article in articles:
        article["content"] *= 1 if given else USUAL
    return articles


def write_articles(path: Path, number: int, articles: list[dict[str, Any]]) -> None:
    """Write lines to import, with the texts of some articles in turn."""
    with path.open("w", encoding="utf-8") as file:
        for each in range(number):
            article = articles[each % len(articles)]
            own = {
                "title": f"Article {each}",
                "slug": f"article-{each}",
                "description": (article.get("description") or "")[:2000],
                "content": article["content"],
                "publishedAt": f"2026-01-{each % 28 + 1:02}T{each % 24:02}:00:00Z",
                "tags": [f"Tag {each % 10}", f"Tag {each % 13}"],
            }
            file.write(json.dumps(own) + "\n")


def _words(articles: list[dict[str, Any]]) -> list[str]:
    """Return the different words of the titles and descriptions."""

    def found() -> Iterator[str]:
        for article in articles:
            yield from f"{article['title']} {article.get('description') or ''}".split()

    return sorted({word for word in found() if word.isalpha()})
