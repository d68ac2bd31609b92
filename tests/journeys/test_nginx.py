"""A real nginx with the shipped site in front of a real server."""

from __future__ import annotations

import json
import ssl
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPSConnection
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from masthead.testing.programs import free_port
from tests.deployment.client import Answer
from tests.deployment.nginx import running_nginx
from tests.deployment.programs import find

pytestmark = [
    pytest.mark.slow,
    pytest.mark.any_database,
    pytest.mark.skipif(
        find("nginx") is None, reason="nginx isn't installed (on Debian: apt install nginx)"
    ),
]

VISITOR = "127.0.0.5"
FORGED = "203.0.113.9"
TOO_LONG = 30


class Front:
    """The address of nginx, as a visitor of another machine reaches it."""

    def __init__(self, port: int, server_port: int, tls: ssl.SSLContext) -> None:
        self._port = port
        self.server_port = server_port
        self._tls = tls

    def ask(self, method: str, path: str, body: bytes | None = None, **headers: str) -> Answer:
        """Send a request over a connection of its own."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        connection = HTTPSConnection(
            "127.0.0.1",
            self._port,
            timeout=TOO_LONG,
            source_address=(VISITOR, 0),
            context=self._tls,
        )
        with closing(connection):
            connection.request(method, path, body, sent)
            answer = connection.getresponse()
            return Answer(answer.status, answer.headers, answer.read())

    def log_in(self, password: str) -> str:
        """Return the token of the first administrator."""
        body = json.dumps({"username": "admin", "password": password}).encode()
        answer = self.ask("POST", "/api/auth/login", body, Content_Type="application/json")
        return str(answer.json["token"])


@pytest.fixture
def front(tmp_path: Path) -> Iterator[Front]:
    """nginx alone; the server behind it isn't started yet."""
    server_port = free_port()
    with running_nginx(tmp_path / "nginx", f"127.0.0.1:{server_port}") as nginx:
        tls = ssl.create_default_context(cafile=nginx.certificate)
        yield Front(nginx.port, server_port, tls)


def upload(front: Front, token: str, content: bytes) -> Answer:
    """Upload a file in a form."""
    head = b'--cut\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n'
    return front.ask(
        "POST",
        "/api/staff/upload/image",
        b"%b%b\r\n--cut--\r\n" % (head, content),
        Authorization=f"Bearer {token}",
        Content_Type="multipart/form-data; boundary=cut",
    )


def test_nginx_passes_addresses_answers_and_uploads(front: Front, site: Any) -> None:
    # The settings of docs/deploy.md.
    site.environ |= {
        "MASTHEAD_BASE_URL": "https://api.example.org",
        "MASTHEAD_SERVER_TRUSTED_PROXIES": "127.0.0.1",
    }
    assert front.ask("GET", "/api/news").status == 503
    site.start("--port", str(front.server_port))
    token = front.log_in(site.printed_value("password"))
    picture = BytesIO()
    Image.effect_noise((2000, 2000), 50).save(picture, "PNG")
    content = picture.getvalue()
    assert len(content) > 2_000_000

    made = upload(front, token, content)
    assert made.status == 200, made.body
    assert front.ask("GET", made.json["url"]).body == content
    listed = front.ask("GET", "/api/news", X_Forwarded_For=FORGED)
    assert (listed.status, listed.json, listed.headers["Server"]) == (200, [], "nginx")
    again = front.ask("GET", "/api/news", If_None_Match=listed.headers["ETag"])
    assert (again.status, again.body) == (304, b"")

    # A limit of Masthead itself, and the size above which nginx passes nothing on.
    for size, message in ((11, "has more than 10485760 bytes"), (22, "is too large")):
        refused = upload(front, token, bytes(size * 2**20))
        assert (refused.status, refused.json["error"]) == (400, f"The body {message}")
    assert site.terminate() == 0
    lines = [line for line in site.log.splitlines() if "/api/" in line]
    assert len(lines) >= 6
    assert [line for line in lines if VISITOR not in line or FORGED in line] == []


def test_errors_of_nginx_itself_are_json(front: Front) -> None:
    for answer in (
        front.ask("GET", "/api/news?search=" + "x" * 20_000),
        front.ask("GET", "/api/news", X_Long="x" * 40_000),
        front.ask("TRACE", "/api/news"),
        front.ask("POST", "/api/auth/login", None, Transfer_Encoding="gzip"),
    ):
        assert answer.status == 400
        assert "invalid" in answer.json["error"]
        assert answer.headers["Access-Control-Allow-Origin"] == "*"


def test_visitors_are_asked_to_come_back_while_the_server_is_away(front: Front) -> None:
    for method in ("GET", "POST"):
        away = front.ask(method, "/api/news")

        assert (away.status, away.json) == (503, {"error": "Service unavailable"})
        assert away.headers["Retry-After"] == "5"
        assert away.headers["Access-Control-Allow-Origin"] == "*"
