"""The time and memory of a transfer of 10,000 articles and 1,000 images, on both databases."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy import insert

from masthead.cli.first_start import prepare
from masthead.instance import Instance, open_instance
from masthead.testing.postgres import create_database, running_postgres
from masthead_media.models import Image
from masthead_news.models import Article
from tests.bench import servers

ARTICLES, IMAGES = 10_000, 1_000
BYTES = 200_000
"""The size of an image."""
COMMAND = [sys.executable, "-c", "from masthead.cli import main; main()"]


def measure() -> Iterator[str]:
    """Yield the time and the memory of an export, and of its import into each database.

    ``MASTHEAD_TEST_DATABASE`` can select one database.
    """
    only = os.environ.get("MASTHEAD_TEST_DATABASE")
    with ExitStack() as stack:
        for dialect in [only] if only else ["sqlite", "postgresql"]:
            folder = stack.enter_context(servers.folder())
            urls = [f"sqlite:///{folder}/{name}.db" for name in ("left", "new")]
            if dialect == "postgresql":
                server = stack.enter_context(running_postgres())
                urls = [create_database(server, name) for name in ("left", "new")]
            _fill(folder / "left", urls[0])
            for what, data, url in (("export", "left", urls[0]), ("import", "new", urls[1])):
                arguments = [what, str(folder / "out")]
                yield f"{dialect}: {what} {_run(arguments, folder / data, url)}"


def _settings(data: Path, url: str) -> dict[str, str]:
    return {
        "masthead.data": str(data),
        "masthead.database.url": url,
        "masthead.plugins": "news media",
        "masthead.auth.secrets": "5f1c9e0d4ab84d43b2c7e6f0a9d81c37",
    }


def _fill(data: Path, url: str) -> None:
    instance = open_instance(_settings(data, url), {})
    try:
        prepare(instance)
        with instance.database.transaction() as session:
            draw = random.Random(1)
            words = [f"word{n}" for n in range(5_000)]
            for numbers in _portions(ARTICLES):
                session.execute(insert(Article), [_article(n, draw, words) for n in numbers])
            session.execute(insert(Image), [_image(n) for n in range(IMAGES)])
        _store(instance)
    finally:
        instance.close()


def _portions(many: int) -> Iterator[range]:
    for start in range(0, many, 1000):
        yield range(start, min(start + 1000, many))


def _article(number: int, draw: random.Random, words: Sequence[str]) -> dict[str, object]:
    moment = datetime(2020, 1, 1, tzinfo=UTC) + timedelta(minutes=number)
    return {
        "title": f"Article {number}",
        "slug": f"article-{number}",
        "content": f"<p>{' '.join(draw.choices(words, k=500))}</p>",
        "published": True,
        "approval_status": "approved",
        "published_at": moment,
        "position": moment,
    }


def _key(number: int) -> str:
    return f"images/{number:013d}-{number:032x}.png"


def _image(number: int) -> dict[str, object]:
    return {
        "key": _key(number),
        "sha256": f"{number:064x}",
        "submitted": False,
        "media_type": "image/png",
        "size": BYTES,
        "width": 640,
        "height": 480,
    }


def _store(instance: Instance) -> None:
    folder = instance.data / "media" / "images"
    folder.mkdir(parents=True)
    for number in range(IMAGES):
        (folder.parent / _key(number)).write_bytes(random.Random(number).randbytes(BYTES))


def _run(arguments: list[str], data: Path, url: str) -> str:
    """Run a command in a separate process, and return its time and memory as text."""
    named = {n.replace(".", "_").upper(): v for n, v in _settings(data, url).items()}
    kept = {n: v for n, v in os.environ.items() if not n.startswith("MASTHEAD_")}
    began = time.perf_counter()
    process = subprocess.Popen([*COMMAND, *arguments], env=kept | named, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"masthead {arguments[0]} failed")
    seconds = time.perf_counter() - began
    used = usage.ru_utime + usage.ru_stime
    return (
        f"took {seconds:.0f} s ({used:.0f} s of a processor) and {usage.ru_maxrss / 1024:.0f} MiB"
    )
