"""Work with the same key is done once for all threads that ask for it."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from masthead_media.single_flight import SingleFlight

SOON = 20


def test_threads_share_the_work_of_a_key() -> None:
    flight = SingleFlight[int]()
    begun, release, done = threading.Event(), threading.Event(), list[int]()

    def work() -> int:
        done.append(1)
        begun.set()
        assert release.wait(SOON)
        return 7

    with ThreadPoolExecutor(8) as threads:
        first = threads.submit(flight.run, "a", work, SOON)
        assert begun.wait(SOON)
        others = [threads.submit(flight.run, "a", work, SOON) for _ in range(7)]
        assert flight.run("b", lambda: 8, SOON) == 8
        release.set()

    # A thread that came too late did the work again.
    assert {first.result(), *(each.result() for each in others)} == {7}
    assert len(done) < 8
    assert flight.run("a", lambda: 9, SOON) == 9


def test_an_exception_is_raised_in_all_threads_and_not_kept() -> None:
    flight = SingleFlight[int]()
    begun, release = threading.Event(), threading.Event()

    def fail() -> int:
        begun.set()
        assert release.wait(SOON)
        raise OSError("the storage fails")

    with ThreadPoolExecutor(2) as threads:
        first = threads.submit(flight.run, "a", fail, SOON)
        assert begun.wait(SOON)
        other = threads.submit(flight.run, "a", fail, SOON)
        release.set()

    assert isinstance(first.exception(), OSError)
    assert isinstance(other.exception(), OSError)
    assert flight.run("a", lambda: 1, SOON) == 1


def test_a_thread_waits_for_another_for_a_bounded_time() -> None:
    flight = SingleFlight[int]()
    begun, release = threading.Event(), threading.Event()

    def work() -> int:
        begun.set()
        assert release.wait(SOON)
        return 1

    with ThreadPoolExecutor(1) as threads:
        first = threads.submit(flight.run, "a", work, SOON)
        assert begun.wait(SOON)
        with pytest.raises(TimeoutError):
            flight.run("a", work, 0.01)
        release.set()
        assert first.result() == 1
