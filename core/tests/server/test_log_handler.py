from __future__ import annotations

import io
import logging
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from masthead.server.log_handler import LogHandler, is_journal

pytestmark = pytest.mark.slow

ACCESS, OTHER = "masthead.access", "masthead.other"


class Stream(io.StringIO):
    """Records the calls of write()."""

    def __init__(self) -> None:
        super().__init__()
        self.writes: list[str] = []

    def write(self, text: str) -> int:
        self.writes.append(text)
        return super().write(text)


@pytest.fixture
def stream() -> Stream:
    return Stream()


@pytest.fixture
def handler(stream: Stream) -> Iterator[LogHandler]:
    handler = LogHandler(stream)
    yield handler
    handler.close()


def log(handler: LogHandler, name: str, message: str, *arguments: Any) -> None:
    handler.handle(logging.LogRecord(name, logging.INFO, "", 0, message, arguments, None))


def test_lines_of_the_access_log_are_written_together(handler: LogHandler, stream: Stream) -> None:
    for number in range(3):
        log(handler, ACCESS, "line %d", number)
    handler.flush()

    assert stream.writes == ["line 0\nline 1\nline 2\n"]


def test_they_wait_no_longer_than_a_moment(handler: LogHandler, stream: Stream) -> None:
    for message in ("once", "twice"):
        log(handler, ACCESS, message)
        for _ in range(500):
            if f"{message}\n" in stream.getvalue():
                break
            time.sleep(0.02)

    assert stream.getvalue() == "once\ntwice\n"


def test_a_line_after_the_end_is_written_at_once(handler: LogHandler, stream: Stream) -> None:
    handler.close()

    log(handler, ACCESS, "late")

    assert stream.getvalue() == "late\n"


def test_any_other_line_is_written_at_once_and_behind_them(
    handler: LogHandler, stream: Stream
) -> None:
    log(handler, ACCESS, "first")
    log(handler, OTHER, "second")
    log(handler, OTHER, "third")

    assert stream.getvalue() == "first\nsecond\nthird\n"


def test_a_write_has_whole_lines_and_fits_into_a_pipe(handler: LogHandler, stream: Stream) -> None:
    lines = [f"{number} " + "x" * (number % 300) for number in range(1000)]
    for line in lines:
        log(handler, ACCESS, line)
    handler.flush()

    assert stream.getvalue().splitlines() == lines
    assert all(write.endswith("\n") and len(write) <= 4096 for write in stream.writes)
    assert len(stream.writes) < 60


def test_a_line_that_fits_nowhere_is_written_alone(handler: LogHandler, stream: Stream) -> None:
    for line in ("before", "x" * 10_000, "behind"):
        log(handler, ACCESS, line)
    handler.flush()

    assert stream.getvalue().splitlines() == ["before", "x" * 10_000, "behind"]


def test_a_line_that_cannot_be_formatted_does_not_stop_others(
    handler: LogHandler, stream: Stream, capsys: pytest.CaptureFixture[str]
) -> None:
    log(handler, ACCESS, "%d", "no number")
    log(handler, OTHER, "next")

    assert stream.getvalue() == "next\n"
    assert "Logging error" in capsys.readouterr().err


@pytest.mark.parametrize("processes", [1, 2])
def test_a_stopped_server_has_logged_every_request_in_order(start: Any, processes: int) -> None:
    server = start(processes=processes)
    with server.connect() as client, client.makefile("rb") as stream:
        for number in range(200):
            path = f"/immediate/{number}/" if number % 3 else f"/{number}/"
            client.sendall(f"HEAD {path} HTTP/1.1\r\nHost: a\r\n\r\n".encode())
            while stream.readline() != b"\r\n":
                pass
    assert server.stop() == 0

    lines = [line for line in server.log.splitlines() if '"HEAD ' in line]
    logged = [int(line.split('"HEAD ')[1].split("/")[-2]) for line in lines]
    assert logged == list(range(200))


def test_under_systemd_each_line_begins_with_its_priority(monkeypatch: pytest.MonkeyPatch) -> None:
    reader, writer = os.pipe()
    found = os.fstat(writer)
    monkeypatch.setenv("JOURNAL_STREAM", f"{found.st_dev}:{found.st_ino}")
    with os.fdopen(writer, "w") as stream:
        handler = LogHandler(stream)
        for level in (
            logging.DEBUG,
            logging.INFO,
            logging.WARNING,
            logging.ERROR,
            logging.CRITICAL,
        ):
            handler.handle(logging.LogRecord(OTHER, level, "", 0, "first\nsecond", (), None))
    with os.fdopen(reader) as lines:
        assert lines.read().split() == [
            f"<{priority}>{line}" for priority in (7, 6, 4, 3, 2) for line in ("first", "second")
        ]


def test_a_stream_that_is_not_the_journal_has_no_priorities(stream: Stream) -> None:
    with Path(os.devnull).open("w") as other:
        assert not is_journal(other, {"JOURNAL_STREAM": "8:1"})
        assert not is_journal(other, {})
    assert not is_journal(stream, {"JOURNAL_STREAM": "8:1"})
