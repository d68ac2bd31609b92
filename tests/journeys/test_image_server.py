"""Images through a real server: large bodies, files on disk, concurrent uploads."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from io import BytesIO
from typing import Any
from urllib.parse import urlsplit

import pytest
from PIL import Image

pytestmark = [pytest.mark.slow, pytest.mark.any_database]

UPLOAD = "/api/staff/upload/image"
MIB = 1024 * 1024


def photograph(side: int) -> bytes:
    """Return a JPEG of about two bytes per pixel."""
    file = BytesIO()
    Image.frombytes("RGB", (side, side), os.urandom(side * side * 3)).save(file, "JPEG", quality=92)
    return file.getvalue()


def send(site: Any, content: bytes, token: str) -> tuple[int, bytes]:
    """Upload a file, and return the answer's status and body."""
    head = b'--cut\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n'
    headers = {"Content-Type": "multipart/form-data; boundary=cut"}
    headers |= {"Authorization": f"Bearer {token}"} if token else {}
    connection = HTTPConnection(urlsplit(site.address).netloc, timeout=30)
    connection.request("POST", UPLOAD, head + content + b"\r\n--cut--\r\n", headers)
    answer = connection.getresponse()
    status, body = answer.status, answer.read()
    connection.close()
    return status, body


@pytest.fixture
def token(site: Any) -> str:
    site.start()
    return str(site.log_in(site.printed_value("username"), site.printed_value("password")))


def test_a_large_image_is_uploaded_and_served(site: Any, token: str) -> None:
    content = photograph(1600)
    assert len(content) > 2 * MIB
    listed = site.ask("GET", "/api/staff/images", token=token)
    assert listed.json == []

    status, _ = send(site, content, token)

    assert status == 200
    [image] = site.ask("GET", "/api/staff/images", token=token).json
    for _ in range(2):
        whole = site.ask("GET", image["url"])
        assert (whole.status, whole.body) == (200, content)
        assert whole.headers["Content-Length"] == str(len(content))
        part = site.ask("GET", image["url"], headers={"Range": "bytes=-99999"})
        assert (part.status, part.body) == (206, content[-99999:])
        head = site.ask("HEAD", image["url"])
        assert (head.status, head.body) == (200, b"")
    known = {"If-None-Match": whole.headers["ETag"]}
    assert site.ask("GET", image["url"], headers=known).status == 304
    with ThreadPoolExecutor(8) as threads:
        bodies = threads.map(lambda _: site.ask("GET", image["url"]).body, range(24))
        assert set(bodies) == {content}


def test_a_too_large_upload_is_refused_by_the_first_layer_that_sees_it(
    site: Any, token: str
) -> None:
    for size in (10 * MIB, 22 * MIB):
        status, body = send(site, bytes(size), token)
        assert status == 400
        assert b'{"error"' in body
    assert send(site, photograph(100), "")[0] == 401
    assert site.ask("GET", "/api/staff/images", token=token).json == []
