"""While all decoders work and the queue is full, further images get 503."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import pytest

from masthead import Instance
from masthead.testing import Client
from masthead_media.decoding.pool import pool
from masthead_media.services.decoding import limits_of

Picture = Callable[..., bytes]
BUSY = {"error": "The server is busy with other images. Please try again."}


@pytest.fixture
def settings() -> Mapping[str, str]:
    return {"masthead.media.processes": "1", "masthead.media.queue": "0"}


@pytest.fixture
def occupied(instance: Instance, picture: Picture) -> Callable[[], AbstractContextManager[None]]:
    """Occupy the only decoder during a block."""

    @contextmanager
    def block() -> Iterator[None]:
        begun, release = threading.Event(), threading.Event()

        def read() -> bytes:
            begun.set()
            release.wait(20)
            return picture()

        task = {"name": "validate", "argument": 10_000}
        with ThreadPoolExecutor(1) as threads:
            threads.submit(pool().execute, task, read, limits_of(instance), None)
            try:
                assert begun.wait(20)
                yield
            finally:
                release.set()

    return block


def test_uploads_and_new_renditions_are_refused_for_some_seconds(
    occupied: Any, picture: Picture, upload: Any, submit: Any, editor: Client, kept: Any
) -> None:
    image = upload(picture("JPEG", 700, 300))
    large, other = picture("JPEG", 700, 300, seed=2), picture(seed=3)

    with occupied():
        assert upload(large, status=503) == submit(other, 503) == BUSY
        refused = editor.get(f"{image['url']}?w=640", status=503)
        # An image that needs no decoder is served, and a duplicate is found.
        editor.get(f"{image['url']}?w=960")
        assert upload(picture("JPEG", 700, 300))["duplicate"]

    assert refused.json == BUSY
    assert refused.headers["Retry-After"] == "5"
    assert refused.headers["Cache-Control"] == "no-store"
    assert kept() == [image["key"]]
    upload(large)
    editor.get(f"{image['url']}?w=640")
