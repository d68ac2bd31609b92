"""Logins at a certified provider, oidc-provider, which runs in Node.js."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
import requests
from joserfc.jwk import ECKey, KeySet

from masthead import Plugin
from masthead.testing import Client, HttpServer
from masthead.testing.accounts import PASSWORD
from masthead.testing.programs import free_port
from masthead_oidc.plugin import plugin as oidc
from tests.node import installed_packages

pytestmark = pytest.mark.slow

FOLDER = Path(__file__).parent / "provider"
BASE, PAGE = "http://127.0.0.1:6543", "https://www.example.org/staff"
SECRET = "a+secret%20with&signs"
KEY = ECKey.generate_key("P-256", auto_kid=True)
PEOPLE = {
    "ada": {
        "preferred_username": "ada",
        "name": "Ada Lovelace",
        "email": "ada@example.org",
        "email_verified": True,
        "groups": ["staff"],
    }
}


class Provider:
    """The provider; each start has a new key."""

    def __init__(self, folder: Path, port: int, listener: HttpServer) -> None:
        self.url = f"http://127.0.0.1:{port}"
        common = {
            "redirect_uris": [f"{BASE}/api/auth/oidc/callback"],
            "post_logout_redirect_uris": [PAGE],
            "backchannel_logout_uri": listener.url,
        }
        self._command = [
            "node",
            "provider.mjs",
            json.dumps(
                {
                    "port": port,
                    "people": PEOPLE,
                    "clients": [
                        {**common, "client_id": "masthead", "client_secret": SECRET},
                        {
                            **common,
                            "client_id": "masthead-with-key",
                            "token_endpoint_auth_method": "private_key_jwt",
                            "jwks": KeySet([KEY]).as_dict(private=False),
                        },
                    ],
                }
            ),
        ]
        self._folder = folder
        self.start()

    def start(self) -> None:
        """Start the program, and wait until it listens."""
        self._process = subprocess.Popen(
            self._command, cwd=self._folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        assert self._process.stdout is not None
        said = b""
        while not said.endswith(b"ready\n"):
            line = self._process.stdout.readline()
            assert line, said.decode()
            said += line

    def stop(self) -> None:
        """End the program."""
        self._process.kill()
        self._process.communicate()


@pytest.fixture(scope="module")
def listener() -> Iterator[HttpServer]:
    server = HttpServer()
    yield server
    server.close()


@pytest.fixture(scope="module")
def provider(listener: HttpServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Provider]:
    folder = tmp_path_factory.mktemp("provider")
    (folder / "node_modules").symlink_to(installed_packages(FOLDER / "package.json"))
    for name in ("package.json", "provider.mjs"):
        (folder / name).write_bytes((FOLDER / name).read_bytes())
    running = Provider(folder, free_port(), listener)
    yield running
    running.stop()


@pytest.fixture
def plugins() -> list[Plugin]:
    return [oidc]


@pytest.fixture
def settings(provider: Provider) -> Mapping[str, str]:
    return {
        "masthead.base_url": BASE,
        "masthead.oidc.issuer": provider.url,
        "masthead.oidc.client_id": "masthead",
        "masthead.oidc.client_secret": SECRET,
        "masthead.oidc.scopes": "openid profile email groups",
        "masthead.oidc.return_addresses": PAGE,
        "masthead.oidc.create_users": "true",
        "masthead.oidc.roles": "staff=editor",
    }


Journey = Callable[..., dict[str, str]]


@pytest.fixture
def web() -> Iterator[requests.Session]:
    """The browser, as far as it talks to the provider."""
    with requests.Session() as session:
        yield session


@pytest.fixture
def journey(app: Client, web: requests.Session) -> Journey:
    """Return a function that logs in, and returns the parameters in the fragment."""

    def travel(address: str = "/api/auth/oidc/login") -> dict[str, str]:
        began = app.get(address, status=302)
        answer = follow(web, web.get(began.location, allow_redirects=False))
        parts = urlsplit(answer.headers["Location"])
        returned = app.get(f"{parts.path}?{parts.query}", status=302)
        return dict(parse_qsl(urlsplit(returned.location).fragment))

    return travel


def follow(web: requests.Session, answer: requests.Response) -> requests.Response:
    """Log in and agree on the pages of the provider, until it leads elsewhere."""
    for _ in range(20):
        location = answer.headers.get("Location", "")
        if location.startswith((BASE, PAGE)):
            return answer
        if location:
            answer = web.get(requests.compat.urljoin(answer.url, location), allow_redirects=False)
            continue
        action = re.search(r'action="([^"]+)"', answer.text)
        assert action is not None, answer.text
        fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', answer.text))
        fields |= {"login": "ada", "password": "any"} if 'name="login"' in answer.text else {}
        answer = web.post(action[1], fields, allow_redirects=False)
    raise AssertionError("the provider leads in a circle")


def test_a_person_logs_in_and_out(
    app: Client, journey: Journey, web: requests.Session, listener: HttpServer
) -> None:
    ticket = journey()["ticket"]
    answer = app.post_json("/api/auth/oidc/token", {"ticket": ticket}).json
    assert (answer["user"]["username"], answer["user"]["roles"]) == ("ada", ["editor"])
    app.authorization = ("Bearer", answer["token"])
    app.get("/api/auth/check")
    again = app.post_json("/api/auth/oidc/token", {"ticket": journey()["ticket"]}).json
    assert again["user"]["id"] == answer["user"]["id"]

    leaving = app.post_json("/api/auth/oidc/logout", {}).json["url"]
    page = web.get(leaving)
    fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page.text))
    action = re.search(r'action="([^"]+)"', page.text)
    assert action is not None, page.text
    left = web.post(action[1], {**fields, "logout": "yes"}, allow_redirects=False)

    assert left.headers["Location"] == PAGE
    # The provider has told Masthead, which ends all tokens of the user.
    [call] = listener.received
    app.post(
        "/api/auth/oidc/backchannel-logout",
        call.body,
        content_type="application/x-www-form-urlencoded",
    )
    app.get("/api/auth/check", status=401)


def test_a_code_works_once_and_keys_may_change(
    app: Client, journey: Journey, web: requests.Session, provider: Provider
) -> None:
    app.post_json("/api/auth/oidc/token", {"ticket": journey()["ticket"]})

    provider.stop()
    provider.start()
    web.cookies.clear()

    answer: Any = app.post_json("/api/auth/oidc/token", {"ticket": journey()["ticket"]})
    assert answer.json["user"]["username"] == "ada"


def test_a_user_links_a_person(app: Client, journey: Journey, make_user: Any) -> None:
    user = make_user("grace")
    client = app.as_user(user)
    url = client.post_json("/api/auth/oidc/links/begin", {"currentPassword": PASSWORD}).json["url"]

    ticket = journey(url.removeprefix(BASE))["ticket"]
    client.post_json("/api/auth/oidc/links", {"ticket": ticket})

    answer: Any = app.post_json("/api/auth/oidc/token", {"ticket": journey()["ticket"]})
    assert answer.json["user"]["id"] == user.id


class TestKey:
    """A client with a key instead of a secret."""

    @pytest.fixture
    def settings(
        self, settings: Mapping[str, str], tmp_path_factory: pytest.TempPathFactory
    ) -> Mapping[str, str]:
        file = tmp_path_factory.getbasetemp() / "key.json"
        file.write_text(json.dumps(KEY.as_dict(private=True)))
        return {
            **settings,
            "masthead.oidc.client_id": "masthead-with-key",
            "masthead.oidc.client_secret": "",
            "masthead.oidc.client_key": str(file),
        }

    def test_a_person_logs_in(self, app: Client, journey: Journey) -> None:
        answer: Any = app.post_json("/api/auth/oidc/token", {"ticket": journey()["ticket"]})

        assert answer.json["user"]["username"] == "ada"
