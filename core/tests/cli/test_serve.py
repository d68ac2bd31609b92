from __future__ import annotations

import json
import re
import socket
import urllib.error
import urllib.request
from collections.abc import Callable
from typing import Any

import pytest
from click.testing import Result

from masthead.testing.programs import free_port

pytestmark = pytest.mark.slow


def ask(address: str, path: str, body: dict[str, str] | None = None) -> dict[str, object]:
    sent = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(address + path, sent)) as answer:
        found: dict[str, object] = json.load(answer)
    return found


def test_the_first_start_makes_all_that_is_needed(serve: Callable[..., Any]) -> None:
    server = serve()

    address = server.wait_until_it_answers()

    assert ask(address, "/readyz")["status"] == "ok"
    username, password = re.findall(r"(?:username|password): (\S+)", server.printed)
    login = ask(address, "/api/auth/login", {"username": username, "password": password})
    assert "token" in login
    assert server.stop() == 0
    assert "The worker has stopped" in server.log
    assert password not in server.log
    assert '"GET /readyz" 200' in server.log


def test_a_second_start_makes_nothing(serve: Callable[..., Any]) -> None:
    first = serve()
    first.wait_until_it_answers()
    first.stop()

    second = serve()
    second.wait_until_it_answers()

    assert second.stop() == 0
    assert second.printed.splitlines()[1:] == [f"Masthead answers at {second.address}"]


def test_two_first_starts_at_once_make_one_administrator(serve: Callable[..., Any]) -> None:
    servers = [serve(), serve("--processes", "2")]

    for server in servers:
        assert ask(server.wait_until_it_answers(), "/readyz")["status"] == "ok"

    assert [server.stop() for server in servers] == [0, 0]
    assert "".join(server.printed for server in servers).count("password: ") == 1


def test_a_port_that_is_taken_leaves_everything_untouched(run: Callable[..., Result]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])

        result = run("serve", "--port", port)

    assert result.exit_code == 1
    assert f"can't listen on 127.0.0.1 port {port}" in result.stderr
    assert "run masthead db upgrade" in run("db", "status").output


def test_links_start_where_the_server_listens(serve: Callable[..., Any]) -> None:
    port = str(free_port())
    server = serve("--port", port)

    document = ask(server.wait_until_it_answers(), "/openapi.json")

    assert document["servers"] == [{"url": f"http://127.0.0.1:{port}"}]


def test_a_port_that_is_not_known_yet_cannot_be_where_links_start(
    serve: Callable[..., Any],
) -> None:
    server = serve()

    server.wait_until_it_answers()

    assert "masthead.base_url isn't set; links start with http://127.0.0.1:6543\n" in server.printed


def test_links_start_with_the_base_url_where_it_is_set(
    serve: Callable[..., Any], environ: dict[str, str]
) -> None:
    environ["MASTHEAD_BASE_URL"] = "https://api.example.org"
    server = serve()

    document = ask(server.wait_until_it_answers(), "/openapi.json")

    assert document["servers"] == [{"url": "https://api.example.org"}]


def test_a_server_without_a_worker_is_ready(
    serve: Callable[..., Any], environ: dict[str, str]
) -> None:
    environ["MASTHEAD_WORKER_INSIDE"] = "false"
    address = serve().wait_until_it_answers()

    assert "worker" not in ask(address, "/readyz")["checks"]
