"""A storage that can't be used is named by its cause: at the start, in the status and by doctor."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from masthead import Instance
from masthead.checking.at_start import warn_in_background
from masthead.testing import Client
from masthead_media.diagnosis import storage_trouble
from masthead_media.settings import STORAGE

KEYS = "region=eu-central-1&access_key_id=testing&secret_access_key=hush-hush"


class Refusing(BaseHTTPRequestHandler):
    """Refuses all requests with the code that is the name of the bucket."""

    def do_PUT(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        code = self.path.split("/")[1]
        body = f"<Error><Code>{code}</Code><Message>No</Message></Error>".encode()
        self.send_response(404 if code == "NoSuchBucket" else 403)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def store() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Refusing)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_each_fault_of_the_storage_is_named(
    instance: Instance,
    app: Client,
    store: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"")
    faults = {
        f"s3://NoSuchBucket/site?endpoint={store}&{KEYS}": "NoSuchBucket",
        f"s3://SignatureDoesNotMatch/site?endpoint={store}&{KEYS}": "SignatureDoesNotMatch",
        f"s3://bucket/site?endpoint=http://127.0.0.1:9&{KEYS}": "Connection refused",
        f"{file.as_uri()}/images": f"can't write to {file}: not a directory",
    }
    for url, cause in faults.items():
        monkeypatch.setitem(instance.settings._values, STORAGE.name, url)

        trouble = storage_trouble(instance) or ""

        assert cause in trouble
        assert "hush-hush" not in trouble
        assert "\n" not in trouble
    assert cause in app.as_role("admin").get("/status").json["checks"]["media.storage"]

    with caplog.at_level(logging.WARNING):
        warn_in_background(instance)
        next(each for each in threading.enumerate() if each.name == "start checks").join(20)

    assert cause in caplog.text
    assert "ReadWritePaths" in caplog.text


def test_a_storage_that_works_is_no_trouble_and_stays_as_it_was(
    instance: Instance, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert storage_trouble(instance) is None
    folder = tmp_path / "images"
    monkeypatch.setitem(instance.settings._values, STORAGE.name, folder.as_uri())

    assert storage_trouble(instance) is None
    assert not folder.exists()
    (folder / "images").mkdir(parents=True)
    assert storage_trouble(instance) is None
    assert list(folder.rglob("*")) == [folder / "images"]
