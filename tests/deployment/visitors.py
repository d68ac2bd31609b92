"""Clients that read and write through the proxy all the time, and record each answer."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import BytesIO
from itertools import count
from typing import Any

from PIL import Image

from tests.deployment.client import Answer, Client

NO_ANSWER = 0
_PAUSE = 0.1
CALM = 2.0
"""Seconds without a failure after which a fault counts as over."""
TOO_LONG = 90

_numbers = count()


@dataclass(frozen=True)
class Asked:
    """A request and its answer."""

    kind: str
    began: float
    ended: float
    status: int


@dataclass
class Stored:
    """The writes that were acknowledged."""

    news: list[str] = field(default_factory=list)
    contacts: list[str] = field(default_factory=list)
    images: dict[str, bytes] = field(default_factory=dict)


class Visitors:
    """The clients, one thread for each kind of request."""

    def __init__(self, url: str, token: str) -> None:
        self.stored = Stored()
        self.asked: list[Asked] = []
        self._staff, self._public = Client(url, token), Client(url)
        self._end = threading.Event()
        self._kinds: dict[str, Callable[[], Answer]] = {
            "cached": lambda: self._public.ask("GET", "/api/news"),
            "uncached": lambda: self._public.ask("GET", f"/api/news?nothing={next(_numbers)}"),
            "image": self._show_image,
            "news": self._write_news,
            "contact": self._write_contact,
            "upload": self._upload,
        }

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Let all clients work during the block, after each has succeeded once."""
        self._upload()
        threads = [threading.Thread(target=self._work, args=each) for each in self._kinds.items()]
        for thread in threads:
            thread.start()
        try:
            self.wait_until_calm(time.monotonic())
            yield
        finally:
            self._end.set()
            for thread in threads:
                thread.join()

    def wait_until_calm(self, since: float) -> float:
        """Wait until every kind of request succeeds again; return the seconds until then.

        :param since: the time from which everything may work.
        :raises AssertionError: if that takes too long.
        """
        while True:
            now = time.monotonic()
            late = [each for each in list(self.asked) if each.ended > since]
            first: dict[str, float] = {}
            for each in late:
                if each.status == 200 and each.began > since:
                    first.setdefault(each.kind, each.ended)
            failed = max((each.ended for each in late if each.status != 200), default=since)
            if len(first) == len(self._kinds) and now - failed > CALM:
                return failed - since
            assert now - since < TOO_LONG, Counter((each.kind, each.status) for each in late)
            time.sleep(0.1)

    def between(self, began: float, ended: float) -> list[Asked]:
        """Return the requests that were answered in a time."""
        return [each for each in list(self.asked) if began < each.ended <= ended]

    def _work(self, kind: str, ask: Callable[[], Answer]) -> None:
        while not self._end.wait(_PAUSE):
            began = time.monotonic()
            try:
                status = ask().status
            except OSError:
                status = NO_ANSWER
            self.asked.append(Asked(kind, began, time.monotonic(), status))

    def _write_news(self) -> Answer:
        title = f"Article {next(_numbers)}"
        return self._write("/api/staff/news", {"title": title}, self.stored.news, title)

    def _write_contact(self) -> Answer:
        name = f"Contact {next(_numbers)}"
        return self._write("/api/staff/contacts", {"name": name}, self.stored.contacts, name)

    def _write(self, path: str, body: dict[str, Any], stored: list[str], name: str) -> Answer:
        answer = self._staff.ask("POST", path, body)
        if answer.status == 200:
            stored.append(name)
        return answer

    def _upload(self) -> Answer:
        content = picture(next(_numbers))
        answer = self._staff.upload("/api/staff/upload/image", "a.png", content)
        if answer.status == 200:
            self.stored.images[answer.json["url"]] = content
        time.sleep(_PAUSE)
        return answer

    def _show_image(self) -> Answer:
        return self._public.ask("GET", next(iter(self.stored.images)))


def picture(number: int) -> bytes:
    """Return a small image that differs for each number."""
    file = BytesIO()
    Image.new("RGB", (16, 16), (number >> 16 & 255, number >> 8 & 255, number & 255)).save(
        file, "PNG"
    )
    return file.getvalue()
