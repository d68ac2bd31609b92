"""The cost of an upload of 5 MB, compared with its necessary work, and the speed of images."""

from __future__ import annotations

import hashlib
import http.client
import json
import os
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from PIL import Image

from masthead.instance import open_instance
from masthead.testing.accounts import Accounts
from tests.bench import servers

UPLOADS = 9
BYTES_PER_PIXEL = 0.42
LARGE, SERVED = 5_000_000, 200_000  # bytes, approximately
CONNECTIONS = 4
SECONDS = 3.0
ROUNDS = 5
THREADS = 8
BOUNDARY = "cut"


def measure() -> Iterator[str]:
    """Yield the costs of both, compared with the minimum."""
    with servers.folder() as data, servers.masthead(data / "data") as server:
        token = make_token(data / "data")
        yield _compare_uploads(data, server, token)
        yield _upload_at_once(server, token)
        url = _upload(server, token, form(photograph(SERVED)))
        file = next((data / "data" / "media").rglob(url.rpartition("/")[2]))
        with servers.file(data / "file", file, THREADS) as bare:
            yield _compare_serving(server, bare, url, file.stat().st_size)


def photograph(size: int) -> bytes:
    """Return a JPEG of about this size in bytes, with the usual number of pixels of a camera."""
    side = round((size / BYTES_PER_PIXEL) ** 0.5)
    shapes = _noise(side // 8).resize((side, side), Image.Resampling.BICUBIC)
    image = Image.blend(shapes, _noise(side), 0.12)
    file = BytesIO()
    image.save(file, "JPEG", quality=88)
    return file.getvalue()


def _noise(side: int) -> Image.Image:
    return Image.frombytes("RGB", (side, side), random.Random(1).randbytes(side * side * 3))


def _compare_uploads(data: Path, server: servers.Running, token: str) -> str:
    whole = photograph(LARGE)
    ours, plain = [], []
    for number in range(UPLOADS):
        content = numbered(whole, number)
        body = form(content)
        began = time.perf_counter()
        _do_the_work(content, data / f"plain-{number}.jpg")
        plain.append(time.perf_counter() - began)
        began = time.perf_counter()
        _upload(server, token, body)
        ours.append(time.perf_counter() - began)
    ratio = statistics.median(a / b for a, b in zip(ours, plain, strict=True))
    return (
        f"upload of {len(whole):,} bytes: {statistics.median(ours) * 1000:,.0f} ms,"
        f" digest, decoding and writing alone {statistics.median(plain) * 1000:,.0f} ms"
        f" (ratio {ratio:.2f})"
    )


def numbered(whole: bytes, number: int) -> bytes:
    """Return another file that needs the same work: the JPEG with a comment."""
    return whole[:2] + b"\xff\xfe\x00\x0a" + f"{number:08}".encode() + whole[2:]


def _upload_at_once(server: servers.Running, token: str) -> str:
    """Upload images in all threads of the server, and return the additional memory."""
    whole, before = photograph(LARGE), servers.peak(server.pid)
    bodies = [form(numbered(whole, UPLOADS + number)) for number in range(THREADS)]
    with ThreadPoolExecutor(THREADS) as clients:
        list(clients.map(partial(_upload, server, token), bodies))
    more = servers.peak(server.pid) - before
    return f"{THREADS} such uploads at once: {more:.0f} MiB of memory more than one by one"


def _do_the_work(content: bytes, path: Path) -> None:
    """Do the work that an upload needs in any case."""
    hashlib.sha256(content).hexdigest()
    with Image.open(BytesIO(content)) as image:
        image.load()
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _compare_serving(server: servers.Running, bare: servers.Running, url: str, size: int) -> str:
    rounds = [(_load(bare, url), _load(server, url)) for _ in range(ROUNDS)]
    rates = [statistics.median(each[i] for each in rounds) for i in (0, 1)]
    ratio = statistics.median(ours / theirs for theirs, ours in rounds)
    return (
        f"an image of {size:,} bytes: {rates[1]:,.0f} requests/s,"
        f" waitress's own file wrapper {rates[0]:,.0f} ({ratio:.2f} of it)"
    )


def _load(server: servers.Running, path: str) -> float:
    """Return requests per second of a separate client process."""
    load = [sys.executable, str(Path(__file__).with_name("load.py"))]
    asked = [server.address + path, str(SECONDS), str(CONNECTIONS)]
    done = subprocess.run([*load, *asked], check=True, capture_output=True, text=True)
    return float(done.stdout)


def form(content: bytes, filename: str = "a.jpg") -> bytes:
    """Return the form with a file."""
    head = f'Content-Disposition: form-data; name="file"; filename="{filename}"'
    return b"--%b\r\n%b\r\n\r\n%b\r\n--%b--\r\n" % (
        *(BOUNDARY.encode(), head.encode(), content),
        BOUNDARY.encode(),
    )


def _upload(server: servers.Running, token: str, body: bytes) -> str:
    """Send the form, and return the image's path."""
    headers = {
        "Authorization": f"Bearer {token}",
        "Content-Type": f"multipart/form-data; boundary={BOUNDARY}",
    }
    connection = http.client.HTTPConnection(urlsplit(server.address).netloc, timeout=60)
    connection.request("POST", "/api/staff/upload/image", body, headers)
    answer: Any = json.loads(connection.getresponse().read())
    connection.close()
    return str(answer["url"])


def make_token(data: Path, role: str = "editor") -> str:
    """Create a user in a running instance, and return their token."""
    instance = open_instance({"masthead.data": str(data)}, {})
    accounts = Accounts(instance)
    token = accounts.token(accounts.make_user(role=role))
    instance.close()
    return token
