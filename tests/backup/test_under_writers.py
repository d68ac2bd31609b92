"""Backups while writers change a served instance: each is a state that a transaction left."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from sqlalchemy import select, text

from masthead.audit.models import AuditEntry
from masthead.testing.programs import read_start
from masthead_media.models import Image as StoredImage
from masthead_news.models import Article

pytestmark = [pytest.mark.slow, pytest.mark.sqlite]

ROUNDS = int(os.environ.get("MASTHEAD_TEST_BACKUPS", "3"))
PROGRAM = [sys.executable, "-c", "from masthead.cli import main; main()"]
KEPT = 12
"""The number of articles that a writer keeps; it deletes older ones with their images."""


class Writer(threading.Thread):
    """Uploads an image and creates an article with it, and later deletes both, again and again."""

    def __init__(self, address: str, token: str, name: str) -> None:
        super().__init__(name=name, daemon=True)
        self._address, self._token = address, token
        self._articles: list[tuple[int, str]] = []
        self.begun = self.done = 0
        """The numbers of the last article that was begun, and that was acknowledged."""
        self.ends = threading.Event()
        self.failure: Exception | None = None

    def run(self) -> None:
        try:
            while not self.ends.is_set():
                self._write()
        except Exception as error:  # noqa: BLE001 - shown by the test
            self.failure = error

    def _write(self) -> None:
        number = self.begun + 1
        image = self._upload(number)
        self.begun = number
        title = f"{self.name} {number}"
        tag = self._send("POST", "/api/staff/tags", json.dumps({"name": title}).encode())
        values = {"title": title, "imageUrl": image["url"], "tagIds": [tag["id"]]}
        article = self._send("POST", "/api/staff/news", json.dumps(values).encode())
        self.done = number
        self._articles.append((article["id"], image["url"].partition("/api/images/")[2]))
        if len(self._articles) > KEPT:
            article_id, key = self._articles.pop(0)
            self._send("DELETE", f"/api/staff/news/{article_id}")
            self._send("DELETE", f"/api/staff/images/{key}")

    def _upload(self, number: int) -> Any:
        file = BytesIO()
        Image.new("RGB", (8 + number % 90, 8 + number // 90), "navy").save(file, "PNG")
        head = 'Content-Disposition: form-data; name="file"; filename="a.png"'
        # Equal bytes would be one image.
        content = file.getvalue() + f"{self.name}{number}".encode()
        parts = [f"--x\r\n{head}\r\nContent-Type: image/png\r\n\r\n".encode(), content]
        kind = "multipart/form-data; boundary=x"
        body = b"".join([*parts, b"\r\n--x--\r\n"])
        return self._send("POST", "/api/staff/upload/image", body, kind)

    def _send(
        self, method: str, path: str, body: bytes | None = None, kind: str = "application/json"
    ) -> Any:
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": kind}
        request = urllib.request.Request(self._address + path, body, headers, method=method)
        with urllib.request.urlopen(request, timeout=120) as answer:
            return json.load(answer)


@pytest.fixture
def served(make_place: Callable[[], Any]) -> Iterator[tuple[Any, str]]:
    """A place with a running server, and its address."""
    place = make_place()
    place.run("db", "upgrade")
    place.run("user", "add", "ada", "--role", "admin", "--password-stdin", stdin=PASSWORD)
    # The trash would keep the images of deleted articles.
    own = {"MASTHEAD_SERVER_PORT": "0", "MASTHEAD_TRASH_KEEP": "0"}
    variables = {**os.environ, **place.variables, **own}
    command = [*PROGRAM, "serve"]
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, env=variables, text=True, **pipes) as program:
        try:
            address, printed = read_start(program, 60)
            assert address, printed
            yield place, address
        finally:
            program.terminate()
            program.communicate(timeout=60)


PASSWORD = "a password of many words"


@pytest.fixture
def writers(served: tuple[Any, str]) -> Iterator[list[Writer]]:
    _, address = served
    body = json.dumps({"username": "ada", "password": PASSWORD}).encode()
    headers = {"Content-Type": "application/json"}
    request = urllib.request.Request(f"{address}/api/auth/login", body, headers)
    with urllib.request.urlopen(request, timeout=120) as answer:
        token = json.load(answer)["token"]
    writers = [Writer(address, token, name) for name in ("Anna", "Bert")]
    for each in writers:
        each.start()
    yield writers
    for each in writers:
        each.ends.set()
    for each in writers:
        each.join()


def test_each_backup_is_a_state_that_a_transaction_left(
    served: tuple[Any, str],
    writers: list[Writer],
    make_place: Callable[[], Any],
    tmp_path: Path,
) -> None:
    source, _ = served
    folder = tmp_path / "backups"
    folder.mkdir()
    for round_ in range(ROUNDS):
        _wait_for_progress(writers)
        before = {each.name: each.done for each in writers}
        path = folder / f"{round_}.zip"
        options = ["--incremental"] if round_ % 2 else []
        said = source.run("backup", path, *options).output
        after = {each.name: each.begun for each in writers}
        assert [each.failure for each in writers] == [None, None]
        assert "left out" not in said

        place = make_place()
        place.run("restore", path)
        numbers = _check(place)
        place.discard()
        for name, found in numbers.items():
            assert before[name] <= max(found) <= after[name]


def _wait_for_progress(writers: list[Writer]) -> None:
    wanted = [each.done + KEPT // 2 for each in writers]
    deadline = time.monotonic() + 120
    while any(each.done < number for each, number in zip(writers, wanted, strict=True)):
        assert [each.failure for each in writers] == [None, None]
        assert time.monotonic() < deadline
        time.sleep(0.05)


def _check(place: Any) -> dict[str, list[int]]:
    """Check what holds after each transaction, and return the articles' numbers by writer."""
    with place.open().database.session(read_only=True) as session:
        articles = session.execute(select(Article.title, Article.image_url)).all()
        actions = Counter(session.scalars(select(AuditEntry.action)))
        images = set(session.scalars(select(StoredImage.key)))
        tagged = session.scalar(text("SELECT count(*) FROM news_article_tag"))
    numbers: dict[str, list[int]] = {}
    for title, image in articles:
        name, number = title.split()
        numbers.setdefault(name, []).append(int(number))
        assert image.partition("/api/images/")[2] in images
    for found in numbers.values():
        # A transaction creates one article, and later ones delete them in the same order.
        assert sorted(found) == [*range(min(found), max(found) + 1)]
        assert len(found) in range(1, KEPT + 2)
    # The same transaction writes an article and its tag, and deletes one and records that.
    assert tagged == len(articles)
    assert actions["content.delete"] == sum(min(found) - 1 for found in numbers.values())
    for key in images:
        with Image.open(place.folder / "media" / key) as picture:
            picture.verify()
    return numbers
