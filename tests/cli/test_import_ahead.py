"""Imports of which a second process reads the lines, and the end of either process."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import func, select

from masthead.console.context import open_from
from masthead_news.models import Article

BATCH, LINES = 200, 1_450
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="other systems have a single process"),
    pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="one processor has a single process"),
]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Articles, of which two have no title and one has a wrong address."""
    made = tmp_path / "news.jsonl"
    with made.open("w", encoding="utf-8") as lines:
        for number in range(1, LINES + 1):
            article = {
                "title": "" if number in (3, 777) else f"Number {number}",
                "content": f"<p onclick=x>Text {number}" + "<p>More, and more of it</p>" * 300,
                "imageUrl": "no address" if number == 1_300 else None,
            }
            lines.write(json.dumps(article) + "\n")
    return made


@pytest.fixture
def start(upgraded: Path) -> Iterator[Callable[[Path], subprocess.Popen[str]]]:
    """Starts an import, and ends it if the test doesn't."""
    started: list[subprocess.Popen[str]] = []

    def begin(file: Path) -> subprocess.Popen[str]:
        program = [sys.executable, "-c", "from masthead.cli import main; main()"]
        environ = os.environ | {"MASTHEAD_DATA": str(upgraded)}
        process = subprocess.Popen(
            [*program, "import", "news", str(file), "--publish"],
            env=environ,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        started.append(process)
        return process

    yield begin
    for process in started:
        process.kill()
        process.communicate()


def child_of(process: subprocess.Popen[str]) -> int:
    """Wait until a process has a child."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    until = time.monotonic() + 120
    while time.monotonic() < until and process.poll() is None:
        if found := children.read_text().split():
            return int(found[0])
        time.sleep(0.01)
    raise AssertionError("it has started no process")


def stored() -> list[tuple[str, str]]:
    with open_from(None) as instance, instance.database.session() as session:
        rows = session.execute(select(Article.title, Article.content).order_by(Article.id))
        return [tuple(row) for row in rows]


def test_a_large_file_is_imported_as_a_small_one(
    start: Callable[[Path], subprocess.Popen[str]], file: Path
) -> None:
    process = start(file)
    child_of(process)
    printed, errors = process.communicate(timeout=300)

    assert printed == f"imported {LINES - 2}, warnings 1, errors 2\n"
    assert [line.partition(": ")[0] for line in errors.splitlines()] == [
        "line 3",
        "line 777",
        "line 1300",
    ]
    expected = [n for n in range(1, LINES + 1) if n not in (3, 777)]
    found = stored()
    assert [title for title, _ in found] == [f"Number {number}" for number in expected]
    assert {content[:8] for _, content in found} == {"<p>Text "}


def test_an_import_goes_on_without_its_second_process(
    start: Callable[[Path], subprocess.Popen[str]], file: Path
) -> None:
    process = start(file)
    os.kill(child_of(process), signal.SIGKILL)
    printed, _ = process.communicate(timeout=300)

    assert printed == f"imported {LINES - 2}, warnings 1, errors 2\n"
    assert len(stored()) == LINES - 2


def test_an_interrupted_import_reports_no_fault_of_its_second_process(
    start: Callable[[Path], subprocess.Popen[str]], file: Path
) -> None:
    process = start(file)
    child = child_of(process)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=300)

    assert process.returncode not in (0, None)
    assert "Traceback" not in errors
    assert not is_running(child)


def test_a_killed_import_leaves_whole_batches_and_no_process(
    start: Callable[[Path], subprocess.Popen[str]], file: Path
) -> None:
    process = start(file)
    child = child_of(process)
    process.kill()
    process.wait()

    until = time.monotonic() + 60
    while time.monotonic() < until and is_running(child):
        time.sleep(0.05)
    assert not is_running(child)
    with open_from(None) as instance, instance.database.session() as session:
        count = session.scalar(select(func.count(Article.id)))
    # The first batch has one line without a title.
    assert count in (BATCH - 1, 2 * BATCH - 1, 3 * BATCH - 1)


def is_running(number: int) -> bool:
    """Whether a process exists and has not ended."""
    try:
        status = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return status != "Z"
