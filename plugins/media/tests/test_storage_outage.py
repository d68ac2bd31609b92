"""Images while the storage on another machine is away: 503, and no request waits in vain."""

from __future__ import annotations

import logging
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import boto3
import pytest
from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import make_server

from masthead import Busy
from masthead.testing import Client
from masthead.testing.programs import free_port
from masthead_media.settings import STORAGE
from masthead_media.storage import Storage

REGION = "eu-central-1"
KEYS = f"region={REGION}&access_key_id=testing&secret_access_key=testing"
AWAY = {"error": "The storage of images can't be reached; try again later"}


@contextmanager
def store(port: int) -> Iterator[None]:
    """Run an S3 server; its content outlives it in this process."""
    app = DomainDispatcherApplication(create_backend_app)
    server = make_server("127.0.0.1", port, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield
    server.shutdown()
    thread.join()
    server.server_close()


def create_bucket(port: int) -> None:
    client = boto3.client(
        "s3",
        endpoint_url=f"http://127.0.0.1:{port}",
        region_name=REGION,
        aws_access_key_id="testing",
        aws_secret_access_key="testing",
    )
    name = f"bucket{port}"
    client.create_bucket(Bucket=name, CreateBucketConfiguration={"LocationConstraint": REGION})
    client.close()


def address(port: int) -> str:
    return f"s3://bucket{port}/media?endpoint=http://127.0.0.1:{port}&{KEYS}"


@pytest.fixture(scope="module")
def port() -> int:
    return free_port()


@pytest.fixture(scope="module")
def settings(port: int) -> Mapping[str, str]:
    return {STORAGE.name: address(port)}


def test_while_the_storage_is_away_images_are_503(
    app: Client,
    upload: Callable[..., Any],
    picture: Callable[..., bytes],
    port: int,
    caplog: pytest.LogCaptureFixture,
) -> None:
    with store(port):
        create_bucket(port)
        url = upload(picture(width=400, seed=1))["url"]
        assert app.get(url).status_code == 200
    with caplog.at_level(logging.WARNING):
        answers = [app.get(path, status=503) for path in (url, f"{url}?w=320")]
        refused = [upload(picture(seed=2), status=503) for _ in range(2)]
        with store(port):
            later = upload(picture(seed=2))
            assert app.get(later["url"]).status_code == app.get(url).status_code == 200

    assert [answer.json for answer in answers] == [AWAY] * 2
    assert answers[0].headers["Retry-After"] == "5"
    assert refused == [AWAY] * 2
    ours = [each for each in caplog.records if each.name == "masthead_media.store_outage"]
    assert [each.levelname for each in ours] == ["ERROR", "WARNING"]
    assert "Traceback" not in caplog.text


@pytest.mark.slow
def test_only_one_request_waits_for_a_storage_that_hangs() -> None:
    with socket.create_server(("127.0.0.1", 0), backlog=50) as silent:
        storage = Storage(address(silent.getsockname()[1]))
        with pytest.raises(Busy):
            storage.size("one")
        opened = _connections(silent)

        with ThreadPoolExecutor(20) as threads:
            for refused in [threads.submit(storage.size, f"{n}") for n in range(20)]:
                with pytest.raises(Busy):
                    refused.result()

        assert opened > 0
        assert _connections(silent) <= opened


def _connections(silent: socket.socket) -> int:
    """Accept the waiting connections, and return their number."""
    silent.settimeout(0.1)
    number = 0
    try:
        while True:
            silent.accept()[0].detach()
            number += 1
    except TimeoutError:
        return number
