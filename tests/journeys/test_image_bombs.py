"""Images with much work delay nothing but other images, and those for a bounded time.

A decoder that is stopped by a signal stands for one that works on a bomb.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from plugins.media.tests import bombs

pytestmark = [pytest.mark.slow, pytest.mark.any_database]

PROCESSES = pytest.mark.parametrize(
    "processes", [pytest.param("1", marks=pytest.mark.exhaustive), "2"]
)
SOON = 30
_MESSAGE = "Invalid file type. Only images are allowed."
REFUSAL = {
    "error": _MESSAGE,
    "fields": [{"path": "file", "code": "not_an_image", "message": _MESSAGE}],
}
BUSY = {"error": "The server is busy with other images. Please try again."}


def picture(colour: str = "teal", size: tuple[int, int] = (8, 8)) -> bytes:
    file = BytesIO()
    Image.new("RGB", size, colour).save(file, "PNG")
    return file.getvalue()


def decoders(server: int) -> list[int]:
    """Return the decoders of a server and of its processes."""
    parents: dict[int, int] = {}
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            pid, parent = int(path.parent.name), path.read_text().rpartition(")")[2].split()[1]
            command = path.with_name("cmdline").read_bytes()
        except (FileNotFoundError, ProcessLookupError):
            continue
        parents[pid] = int(parent)
        if b"masthead_media.decoding.program" in command:
            found.append(pid)
    return [pid for pid in found if server in (parents[pid], parents.get(parents[pid]))]


def wait_until(condition: Callable[[], object]) -> None:
    end = time.monotonic() + SOON
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.fixture
def start(site: Any) -> Callable[..., int]:
    """Start the server with settings of images, and return its process."""

    def run(*arguments: str, **settings: str) -> int:
        named = {f"MASTHEAD_MEDIA_{name.upper()}": value for name, value in settings.items()}
        site.environ.update(named, MASTHEAD_SERVER_STOP_TIMEOUT="2")
        site.start(*arguments)
        return int(site._process.pid)

    return run


@pytest.fixture
def submit(site: Any) -> Callable[[bytes], Any]:
    """Upload a file as a visitor, and return the answer."""

    def send(content: bytes) -> Any:
        return site.send(
            "POST",
            "/api/ycs/upload/image",
            b'--cut\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'
            + content
            + b"\r\n--cut--\r\n",
            {"Content-Type": "multipart/form-data; boundary=cut"},
        )

    return send


@pytest.fixture
def later(submit: Any) -> Iterator[Callable[[bytes], Future[Any]]]:
    """Upload a file as a visitor in another thread."""
    with ThreadPoolExecutor(40) as threads:
        yield lambda content: threads.submit(submit, content)


def stop_decoder(server: int, submit: Any) -> int:
    """Start a decoder of a server, stop it by a signal and return it."""
    assert submit(picture()).status == 200
    [decoder] = decoders(server)
    os.kill(decoder, signal.SIGSTOP)
    return decoder


@PROCESSES
def test_bombs_are_refused_at_once(
    processes: str, site: Any, start: Any, submit: Any, later: Any
) -> None:
    start("--processes", processes, address_files="1000")
    files = [make(most + 1) for make, most in bombs.UNITS.values()]

    answers = [later(content) for content in files]
    alive = site.ask("GET", "/healthz")

    assert alive.status == 200
    for answer in answers:
        status = answer.result(SOON).status
        assert status in (400, 503)
    assert submit(picture()).status == 200
    assert site.terminate() == 0


def test_while_a_bomb_is_decoded_others_are_served(
    site: Any, start: Any, submit: Any, later: Any
) -> None:
    server = start(seconds="1", processes="2")
    stop_decoder(server, submit)

    bomb = later(picture("red"))
    time.sleep(0.3)
    waiting = [later(picture("blue")) for _ in range(3)]

    for _ in range(3):
        assert site.ask("GET", "/healthz").status == 200
        assert not bomb.done()
    answer = bomb.result(SOON)
    assert (answer.status, answer.json) == (400, REFUSAL)
    # They wait for the same visitor's first image, which ends after three seconds.
    assert {each.result(SOON).status for each in waiting} == {200}
    assert submit(picture()).status == 200


def test_a_full_queue_is_refused_at_once(start: Any, submit: Any, later: Any) -> None:
    server = start(seconds="3", processes="1", queue="0")
    stop_decoder(server, submit)
    first = later(picture())
    time.sleep(0.3)

    refused = submit(picture())

    assert (refused.status, refused.json) == (503, BUSY)
    assert refused.headers["Retry-After"] == "5"
    assert not first.done()
    assert first.result(SOON).status == 400


@PROCESSES
def test_a_server_stops_while_an_image_is_decoded(
    processes: str, site: Any, start: Any, submit: Any, later: Any
) -> None:
    server = start("--processes", processes, seconds="60")
    stop_decoder(server, submit)
    [left] = decoders(server)
    began = time.monotonic()
    unanswered = [later(picture()) for _ in range(10)]
    time.sleep(0.3)

    assert site.terminate() == 0

    assert time.monotonic() - began < SOON
    wait_until(lambda: not Path(f"/proc/{left}").exists())
    for each in unanswered:
        each.exception(SOON)


@PROCESSES
def test_no_decoder_survives_a_killed_server(processes: str, start: Any, submit: Any) -> None:
    server = start("--processes", processes)
    for _ in range(8):
        assert submit(picture()).status == 200
    left = decoders(server)
    assert left

    os.kill(server, signal.SIGKILL)

    wait_until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in left))


def test_a_killed_decoder_is_replaced(start: Any, submit: Any, later: Any) -> None:
    server = start()
    decoder = stop_decoder(server, submit)
    answer = later(picture())
    time.sleep(0.3)

    os.kill(decoder, signal.SIGKILL)

    assert answer.result(SOON).status == 400
    assert submit(picture()).status == 200
    os.kill(decoders(server)[0], signal.SIGKILL)
    time.sleep(0.3)
    assert submit(picture()).status == 200


def test_decoders_ignore_the_signals_that_stop_a_service(start: Any, submit: Any) -> None:
    server = start()
    assert submit(picture()).status == 200
    [decoder] = decoders(server)

    for number in (signal.SIGTERM, signal.SIGINT):
        os.kill(decoder, number)

    assert submit(picture()).status == 200
    assert decoders(server) == [decoder]


def test_the_memory_of_a_decoder_is_limited(start: Any, submit: Any) -> None:
    server = start(memory="200")
    assert submit(picture()).status == 200
    [decoder] = decoders(server)

    assert submit(bombs.saved("WEBP", (7_000, 7_000), lossless=True, method=0)).status == 400

    limits = Path(f"/proc/{decoder}/limits").read_text()
    assert str(200 * 1024**2) in limits
    peak = Path(f"/proc/{server}/status").read_text().partition("VmHWM:")[2].split()[0]
    assert int(peak) < 200 * 1024


def test_renditions_are_made_while_other_requests_are_answered(
    site: Any, start: Any, submit: Any
) -> None:
    start()
    files = [picture(colour, (4_000, 3_000)) for colour in ("red", "green", "blue")]
    images = [submit(content).json for content in files]
    paths = [f"{image['url']}?w={width}" for image in images for width in (320, 640)]

    with ThreadPoolExecutor(30) as threads:
        answers = [threads.submit(site.ask, "GET", path) for path in paths * 5]
        assert site.ask("GET", "/healthz").status == 200

    # On a slow machine some have waited for too long.
    assert {answer.result().status for answer in answers} <= {200, 503}
    for path in paths:
        assert Image.open(BytesIO(site.ask("GET", path).body)).width == int(path[-3:])


def test_a_rendition_that_took_too_long_by_the_clock_is_made_later(
    site: Any, start: Any, submit: Any
) -> None:
    server = start(seconds="1")
    path = submit(picture("red", (400, 300))).json["url"] + "?w=320"
    os.kill(decoders(server)[0], signal.SIGSTOP)

    original, made = site.ask("GET", path), site.ask("GET", path)

    assert Image.open(BytesIO(original.body)).width == 400
    assert original.headers["Cache-Control"] == "no-store"
    assert Image.open(BytesIO(made.body)).width == 320
    assert made.headers["Cache-Control"].startswith("public")
