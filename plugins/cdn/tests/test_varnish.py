"""A real Varnish in front of a real server keeps answers, and shows no outdated one."""

from __future__ import annotations

import shutil
import socket
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from werkzeug.serving import make_server

from masthead.testing import Client, Desk
from masthead.testing.programs import free_port
from masthead_cdn.caches import Varnish
from plugins.cdn.tests.conftest import eventually

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        shutil.which("varnishd", path="/usr/sbin:/usr/bin") is None
        or not list(Path("/usr/lib").glob("*/varnish/vmods/libvmod_xkey.so")),
        reason="Varnish isn't installed (on Debian: apt install varnish varnish-modules)",
    ),
]
CONFIGURATION = Path(__file__).parents[3] / "config" / "deploy" / "varnish.vcl"


Waiting = Callable[[], list[tuple[str, str]]]


class Got(NamedTuple):
    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def is_hit(self) -> bool:
        """Whether Varnish has answered by itself."""
        return self.headers.get("X-Hit") == "yes"


def fetch(url: str, method: str = "GET", **headers: str) -> Got:
    request = Request(url, headers=headers, method=method)
    try:
        with urlopen(request, timeout=20) as answer:
            return Got(answer.status, answer.headers, answer.read())
    except HTTPError as error:
        return Got(error.code, error.headers, error.read())


@pytest.fixture(scope="module")
def ports() -> tuple[int, int]:
    """Return free ports, of the server and of Varnish."""
    return free_port(), free_port()


@pytest.fixture
def settings(ports: tuple[int, int]) -> dict[str, str]:
    return {
        "masthead.cache.s_maxage": "600",
        "masthead.cache.key_headers": "Surrogate-Key",
        "masthead.cdn.varnish_urls": f"http://127.0.0.1:{ports[1]}",
        "masthead.cdn.repeat_after": "1",
    }


@pytest.fixture(scope="module")
def _varnish(ports: tuple[int, int], tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Run Varnish with the shipped configuration, which also tells of hits here."""
    folder = tmp_path_factory.mktemp("varnish")
    text = CONFIGURATION.read_text().replace("6543", str(ports[0]))
    told = 'sub vcl_deliver {\n    if (obj.hits > 0) { set resp.http.X-Hit = "yes"; }'
    (folder / "test.vcl").write_text(text.replace("sub vcl_deliver {", told))
    command = ["varnishd", "-F", "-n", str(folder / "work"), "-f", str(folder / "test.vcl")]
    listening = ["-a", f"127.0.0.1:{ports[1]}", "-s", "malloc,32m", "-j", "none"]
    log = (folder / "log").open("wb")
    program = shutil.which("varnishd", path="/usr/sbin:/usr/bin")
    process = subprocess.Popen([program, *command[1:], *listening], stdout=log, stderr=log)
    url = f"http://127.0.0.1:{ports[1]}"
    try:
        eventually(lambda: _is_up(ports[1]) or process.poll() is not None)
        assert process.poll() is None, (folder / "log").read_text()
        yield url
    finally:
        process.terminate()
        process.wait(20)
        log.close()


def _is_up(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture
def varnish(_varnish: str, app: Client, ports: tuple[int, int], _working: None) -> Iterator[str]:
    """Return the address of an empty Varnish in front of the application."""
    server = make_server("127.0.0.1", ports[0], app.app, threaded=True)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    Varnish(_varnish, 10).purge_everything()
    yield _varnish
    server.shutdown()
    thread.join()
    server.server_close()


def kept(url: str) -> Got:
    """Ask until Varnish has the answer itself."""
    eventually(lambda: fetch(url).is_hit)
    return fetch(url)


def test_varnish_keeps_an_answer_until_a_change_purges_it(
    varnish: str, ships: Desk, boats: Desk, waiting: Waiting
) -> None:
    item, other = ships.create_public(title="Ark"), ships.create_public(title="Raft")
    boat = boats.create_public(title="Dinghy")
    # The second purges of these changes, too.
    eventually(lambda: not waiting())
    addresses = {
        name: f"{varnish}/api/{path}"
        for name, path in {
            "ships": "ships",
            "ark": f"ships/{item['slug']}",
            "raft": f"ships/{other['slug']}",
            "boats": "boats",
            "dinghy": f"boats/{boat['slug']}",
        }.items()
    }
    before = {name: kept(url) for name, url in addresses.items()}
    assert "s-maxage=600" in before["ships"].headers["Cache-Control"]
    assert "Surrogate-Key" not in before["ships"].headers

    ships.edit(item["id"], title="Other")
    ships.publish(item["id"])

    eventually(lambda: b"Other" in fetch(addresses["ark"]).body)
    eventually(lambda: fetch(addresses["ships"]).body != before["ships"].body)
    for name in ("raft", "boats", "dinghy"):
        assert fetch(addresses[name]).is_hit, name
    ships.delete(item["id"])
    eventually(lambda: fetch(addresses["ark"]).status == 404)


def test_a_client_with_the_tag_gets_304_from_varnish(
    varnish: str, ships: Desk, waiting: Waiting
) -> None:
    ships.create_public(title="Ark")
    eventually(lambda: not waiting())
    found = kept(f"{varnish}/api/ships")

    known = fetch(f"{varnish}/api/ships", **{"If-None-Match": found.headers["ETag"]})

    assert (known.status, known.is_hit) == (304, True)


def test_staff_and_writes_pass(varnish: str) -> None:
    for _ in range(2):
        answer = fetch(f"{varnish}/api/staff/ships")
        assert (answer.status, answer.is_hit) == (401, False)
    assert not fetch(f"{varnish}/healthz").is_hit


def test_the_order_of_parameters_and_cookies_makes_no_difference(varnish: str) -> None:
    kept(f"{varnish}/api/ships?limit=2&offset=0")

    assert fetch(f"{varnish}/api/ships?offset=0&limit=2", Cookie="seen=1").is_hit


def test_a_purge_without_keys_is_refused(varnish: str) -> None:
    assert fetch(varnish, "PURGE").status == 400
