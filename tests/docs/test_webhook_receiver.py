"""The receiver of webhooks in docs/webhooks.md builds a page from published articles."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from masthead.testing.programs import free_port, read_start

pytestmark = pytest.mark.slow

MASTHEAD = [sys.executable, "-c", "from masthead.cli import main; main()"]
LONG = 60.0
"""The seconds after which a program counts as hanging, and a build as missing."""


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    """The environment of an instance that may call addresses of its machine."""
    kept = {name: v for name, v in os.environ.items() if not name.startswith("MASTHEAD_")}
    return kept | {
        "MASTHEAD_DATA": str(tmp_path / "data"),
        "MASTHEAD_PLUGINS": "news webhooks",
        "MASTHEAD_WEBHOOKS_ALLOWED_NETWORKS": "127.0.0.0/8",
        "MASTHEAD_WEBHOOKS_ALLOW_HTTP": "true",
    }


@pytest.fixture
def served(environ: dict[str, str], tmp_path: Path) -> Iterator[tuple[str, str]]:
    """A server's address and the password of its first administrator."""
    command = [*MASTHEAD, "serve", "--port", "0"]
    with (
        (tmp_path / "server.log").open("w") as log,
        subprocess.Popen(
            command, env=environ, stdout=subprocess.PIPE, stderr=log, text=True
        ) as server,
    ):
        try:
            address, printed = read_start(server, LONG)
            yield address, re.findall(r"password: (\S+)", printed)[0]
        finally:
            server.send_signal(signal.SIGTERM)
            server.communicate(timeout=LONG)


def post(address: str, body: Any, token: str = "") -> Any:
    headers = {"Content-Type": "application/json"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    request = urllib.request.Request(address, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=LONG) as answer:
        return json.load(answer)


def wait_until_it_listens(receiver: subprocess.Popen[bytes], port: int) -> None:
    until = time.monotonic() + LONG
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=LONG).close()
        except ConnectionRefusedError:
            assert receiver.poll() is None
            assert time.monotonic() < until
            time.sleep(0.05)
        else:
            return


def test_a_published_article_is_on_the_page_that_it_builds(
    docs: Any, environ: dict[str, str], served: tuple[str, str], tmp_path: Path
) -> None:
    api, password = served
    [code] = re.findall(
        r"cat > receiver\.py <<'END'\n(.*?)^END$",
        "\n".join(docs["docs/webhooks.md"].blocks("console")),
        re.DOTALL | re.MULTILINE,
    )
    port = free_port()
    assert code.count("9000") == 1
    token = post(f"{api}/api/auth/login", {"username": "admin", "password": password})["token"]
    hook = {"name": "A build", "url": f"http://127.0.0.1:{port}/", "events": ["content.*"]}
    secret = post(f"{api}/api/staff/webhooks", hook, token)["secret"]
    variables = {**os.environ, "API": api, "WEBHOOK_SECRET": secret}
    command = [sys.executable, "-c", code.replace("9000", str(port))]
    page, until = tmp_path / "index.html", time.monotonic() + LONG

    with subprocess.Popen(command, cwd=tmp_path, env=variables) as receiver:
        try:
            wait_until_it_listens(receiver, port)
            subprocess.run(
                [*MASTHEAD, "import", "news", "-", "--publish"],
                input=b'{"title": "A <b>storm</b>"}\n',
                env=environ,
                check=True,
                capture_output=True,
            )
            while not page.exists() or "storm" not in page.read_text("utf-8"):
                assert time.monotonic() < until
                time.sleep(0.1)
        finally:
            receiver.terminate()

    assert page.read_text("utf-8") == "<ul><li>A &lt;b&gt;storm&lt;/b&gt;</li></ul>\n"
