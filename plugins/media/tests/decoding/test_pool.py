"""Decoders are limited and replaced, and images wait for them in a bounded queue."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from masthead import Busy
from masthead_media.decoding import decoder as decoder_module
from masthead_media.decoding import pool as pool_module
from masthead_media.decoding.decoder import Decoder
from masthead_media.decoding.pool import DecoderPool, Limits, Result
from plugins.media.tests import bombs

MIB = 1024 * 1024
LIMITS = Limits(processes=1, queue=2, memory=640 * MIB, seconds=10)
VALIDATE = {"name": "validate", "argument": 50_000_000}
SMALL = bombs.saved("JPEG")
SOON = 20


@pytest.fixture
def pool() -> Iterator[DecoderPool]:
    made = DecoderPool()
    yield made
    made.close()


def validate(
    pool: DecoderPool,
    limits: Limits = LIMITS,
    content: bytes = SMALL,
    owner: str | None = None,
    argument: int = 50_000_000,
) -> Result:
    task = {"name": "validate", "argument": argument}
    return pool.execute(task, lambda: content, limits, owner)


def pids() -> list[int]:
    """Return the decoders of this process."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(path.read_text().rpartition(")")[2].split()[1])
            command = path.with_name("cmdline").read_bytes()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if parent == os.getpid() and b"masthead_media.decoding.program" in command:
            found.append(int(path.parent.name))
    return found


def test_a_picture_comes_back_without_a_failure(pool: DecoderPool) -> None:
    result = validate(pool)

    assert (result.failure, result.fields["format"], result.fields["width"]) == ("", "JPEG", 8)
    assert result.content.startswith(b"\xff\xd8")
    assert 0 < result.seconds < SOON


def test_a_decoder_ends_after_some_time_without_a_task() -> None:
    pool = DecoderPool(idle_seconds=0.1)
    validate(pool)
    deadline = time.monotonic() + SOON
    while pids() and time.monotonic() < deadline:
        time.sleep(0.05)

    assert pids() == []
    assert validate(pool).failure == ""
    pool.close()


def test_a_decoder_gets_no_settings(pool: DecoderPool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MASTHEAD_AUTH_SECRETS", "secret")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    validate(pool)

    [pid] = pids()
    assert b"secret" not in Path(f"/proc/{pid}/environ").read_bytes()


def test_an_idle_decoder_is_used_again(pool: DecoderPool) -> None:
    before = set(pids())
    validate(pool)
    first = set(pids()) - before

    validate(pool)
    assert set(pids()) - before == first
    assert len(first) == 1


def test_an_image_that_takes_too_long_is_a_failure(pool: DecoderPool) -> None:
    before = set(pids())
    validate(pool)
    [decoder] = set(pids()) - before
    os.kill(decoder, signal.SIGSTOP)

    result = validate(pool, replace(LIMITS, seconds=0))
    assert (result.failure, result.is_temporary) == ("it took too long", True)

    assert validate(pool).failure == ""


@pytest.mark.slow
def test_an_image_that_takes_too_much_processor_time_is_a_failure(pool: DecoderPool) -> None:
    limits = replace(LIMITS, seconds=1, memory=4096 * MIB)
    bomb = bombs.jpeg_scans(100, (9_000, 9_000))

    result = validate(pool, limits, bomb, argument=10**9)

    # A slow machine can reach the limit by the clock first.
    assert result.failure in ("it took too much CPU time", "it took too long")
    assert validate(pool).failure == ""


def test_an_image_that_takes_too_much_memory_is_a_failure(pool: DecoderPool) -> None:
    limits = replace(LIMITS, memory=64 * MIB)

    result = validate(pool, limits, bombs.saved("JPEG", (4_200, 4_200)))
    assert result.failure
    assert not result.is_temporary
    assert validate(pool, limits).failure == ""


def test_limits_are_those_of_each_task(pool: DecoderPool) -> None:
    large = bombs.saved("JPEG", (4_200, 4_200))

    assert validate(pool, replace(LIMITS, memory=64 * MIB), large).failure
    assert validate(pool, LIMITS, large).failure == ""


def test_a_decoder_that_was_killed_is_replaced(pool: DecoderPool) -> None:
    before = set(pids())
    validate(pool)
    [first] = set(pids()) - before

    os.kill(first, signal.SIGKILL)
    end = time.monotonic() + SOON
    while Path(f"/proc/{first}/stat").read_text().rpartition(")")[2].split()[0] != "Z":
        assert time.monotonic() < end

    assert validate(pool).failure == ""


def test_an_image_whose_decoder_is_killed_is_a_failure(pool: DecoderPool) -> None:
    before = set(pids())
    validate(pool)
    [first] = set(pids()) - before

    def kill() -> bytes:
        # The decoder is taken, and has no task yet.
        os.kill(first, signal.SIGKILL)
        return SMALL

    result = pool.execute(VALIDATE, kill, LIMITS, None)
    assert result.failure.endswith("code -9")
    # The system kills for lack of memory, which isn't the fault of the image.
    assert result.is_temporary
    assert validate(pool).failure == ""


def test_no_image_gets_the_answer_to_the_one_before(
    pool: DecoderPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise MemoryError

    validate(pool)
    with monkeypatch.context() as patched:
        patched.setattr(decoder_module, "receive", fail)
        with pytest.raises(MemoryError):
            validate(pool)

    assert validate(pool, content=bombs.saved("PNG")).fields["format"] == "PNG"


class Crowd:
    """Threads that execute tasks, of which the first holds its decoder until it is released."""

    def __init__(self, pool: DecoderPool, threads: ThreadPoolExecutor) -> None:
        self._pool = pool
        self._threads = threads
        self.release = threading.Event()
        self.begun: list[str | None] = []

    def start(self, owner: str | None, limits: Limits = LIMITS) -> None:
        """Start a task, and return once it runs or waits."""

        def read() -> bytes:
            self.begun.append(owner)
            self.release.wait(SOON)
            return SMALL

        before = self._busy()
        self._threads.submit(self._pool.execute, VALIDATE, read, limits, owner)
        end = time.monotonic() + SOON
        while self._busy() == before:
            assert time.monotonic() < end

    def _busy(self) -> int:
        return len(self.begun) + len(self._pool._queue)


@pytest.fixture
def crowd(pool: DecoderPool) -> Iterator[Crowd]:
    validate(pool)
    with ThreadPoolExecutor(16) as threads:
        made = Crowd(pool, threads)
        yield made
        made.release.set()


def test_a_full_queue_is_refused(pool: DecoderPool, crowd: Crowd) -> None:
    for _ in range(3):
        crowd.start(None)

    with pytest.raises(Busy) as refused:
        validate(pool)

    assert (refused.value.status, refused.value.retry_after) == (503, 5)
    assert crowd.begun == [None]


def test_an_image_waits_for_a_bounded_time(
    pool: DecoderPool, crowd: Crowd, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool_module, "MAX_WAIT", 0.01)
    crowd.start(None)

    with pytest.raises(Busy):
        validate(pool)


def test_a_visitor_has_one_decoder_and_half_of_the_queue(pool: DecoderPool, crowd: Crowd) -> None:
    limits = replace(LIMITS, processes=2, queue=4)
    for _ in range(3):
        crowd.start("a", limits)

    with pytest.raises(Busy):
        validate(pool, limits, owner="a")
    # Another visitor doesn't wait.
    assert validate(pool, limits, owner="b").failure == ""
    assert crowd.begun == ["a"]


def test_a_free_decoder_is_used_although_the_queue_is_full(pool: DecoderPool, crowd: Crowd) -> None:
    limits = replace(LIMITS, processes=2, queue=1)
    for _ in range(2):
        crowd.start("a", limits)

    assert validate(pool, limits, owner="b").failure == ""
    assert crowd.begun == ["a"]


def test_a_pool_forgets_the_visitors_whose_images_are_decoded(pool: DecoderPool) -> None:
    for owner in ("a", "b", None):
        validate(pool, owner=owner)

    assert pool._running == []


def test_images_are_decoded_in_the_order_of_their_arrival(pool: DecoderPool, crowd: Crowd) -> None:
    limits = replace(LIMITS, queue=10)
    for owner in ("a", "b", "c", "d"):
        crowd.start(owner, limits)

    crowd.release.set()
    validate(pool, limits)

    assert crowd.begun == ["a", "b", "c", "d"]


def test_without_another_process_the_server_is_busy(
    pool: DecoderPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for program in ("/nowhere/python", "/bin/false"):
        monkeypatch.setattr(sys, "executable", program)
        with pytest.raises(Busy):
            validate(pool)
    monkeypatch.undo()

    assert validate(pool).failure == ""


def test_a_closed_pool_is_busy_and_its_image_is_no_failure(pool: DecoderPool, crowd: Crowd) -> None:
    crowd.start(None)

    def close() -> bytes:
        pool.close()
        return SMALL

    with pytest.raises(Busy):
        pool.execute(VALIDATE, close, replace(LIMITS, processes=2), None)
    with pytest.raises(Busy):
        validate(pool)


def test_a_decoder_that_starts_while_the_pool_is_closed_gets_no_image(
    pool: DecoderPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def start() -> Decoder:
        decoder = Decoder()
        pool.close()
        return decoder

    monkeypatch.setattr(pool_module, "Decoder", start)

    with pytest.raises(Busy):
        validate(pool)


KILLED = """
import os, signal, sys, threading

sys.path.insert(0, sys.argv[1])
from masthead_media.decoding.pool import pool
from plugins.media.tests import bombs
from plugins.media.tests.decoding.test_pool import LIMITS, pids, validate

def end():
    os.kill(os.getpid(), signal.SIGKILL)

validate(pool())
print(*pids(), flush=True)
if sys.argv[2] == "idle":
    end()
bomb = bombs.jpeg_scans(100, (9_000, 9_000))
threading.Timer(0.5, end).start()
validate(pool(), LIMITS, bomb, argument=10**9)
"""


@pytest.mark.slow
@pytest.mark.parametrize("state", ["idle", "decoding"])
def test_a_decoder_ends_with_its_parent(state: str, pytestconfig: pytest.Config) -> None:
    command = [sys.executable, "-c", KILLED, str(pytestconfig.rootpath), state]
    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert done.returncode == -signal.SIGKILL, done.stderr
    [pid] = map(int, done.stdout.split())
    end = time.monotonic() + 2
    while Path(f"/proc/{pid}").exists():
        assert time.monotonic() < end
        time.sleep(0.01)
