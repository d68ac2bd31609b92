"""A plugin that was installed from a wheel has the same features as Masthead's plugins."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from masthead.testing.programs import read_start

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
EXAMPLES = [ROOT / "examples" / name for name in ("masthead_podcasts", "masthead_webhook")]
TOO_LONG = 60
AUDIO = {"audioUrl": "https://example.org/1.mp3", "audioType": "audio/mpeg", "audioBytes": 48_213}
EPISODE = {"title": "On compost", **AUDIO, "season": 1}
PASSWORD = {"password": "correct horse battery"}


@dataclass(frozen=True)
class Caller:
    """A client of a server, with or without a token."""

    address: str
    token: str = ""

    def ask(self, path: str, body: Any = None, method: str | None = None) -> Any:
        """Return the JSON of an answer; for an error, its status."""
        sent = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, sent, method=method)
        if self.token:
            request.add_header("Authorization", f"Bearer {self.token}")
        try:
            with urllib.request.urlopen(request, timeout=TOO_LONG) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as refusal:
            return refusal.code

    def login(self, username: str, password: str) -> Caller:
        """Return the client with a token of an account."""
        body = {"username": username, "password": password}
        return Caller(self.address, self.ask("/api/auth/login", body)["token"])


def summarise(installed: Any, tests: Path) -> str:
    """Run the tests of a folder, and return the summary line."""
    options = ("-q", "--import-mode=importlib", "--rootdir", str(tests), str(tests))
    return str(installed.run("pytest", *options).splitlines()[-1])


@pytest.fixture
def served(installed: Any) -> Iterator[str]:
    """The output of ``masthead serve`` until it answers."""
    command = installed.command("masthead", "serve", "--port", "0")
    pipe = subprocess.PIPE
    process = subprocess.Popen(
        command, cwd=installed.folder, env=installed.environ, stdout=pipe, stderr=pipe, text=True
    )
    yield read_start(process, TOO_LONG)[1]
    process.terminate()
    process.communicate(timeout=TOO_LONG)


def test_an_installed_plugin_is_enabled_with_its_tables(installed: Any) -> None:
    upgraded = installed.run("masthead", "db", "upgrade")
    plugins = installed.run("masthead", "plugins")

    assert re.match(r"Migrated core, (\w+, )*podcasts\b.* in ", upgraded)
    assert re.search(r"^podcasts +1\.0\.0 +yes +podcasts", plugins, re.MULTILINE)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.name)
def test_its_own_tests_pass_outside_of_the_workspace(installed: Any, example: Path) -> None:
    tests = shutil.copytree(example / "tests", installed.folder / "tests")

    assert re.match(r"\d+ passed\b", summarise(installed, tests))


@pytest.mark.skipif("MASTHEAD_TEST_WHEELS" not in os.environ, reason="only core is installed")
def test_our_content_types_keep_their_contract_outside_of_the_workspace(installed: Any) -> None:
    tests = installed.folder / "tests"
    for contract in ROOT.glob("plugins/*/tests/test_contract.py"):
        copied = tests / contract.parts[-3] / contract.name
        copied.parent.mkdir(parents=True)
        shutil.copy(contract, copied)

    assert re.match(r"\d{2,} passed\b", summarise(installed, tests))


def test_its_content_goes_the_way_from_draft_to_public(served: str) -> None:
    public = Caller(served.rsplit(maxsplit=1)[-1])
    admin = public.login("admin", re.findall(r"password: (\S+)", served)[0])
    admin.ask("/api/staff/users", {"username": "ada", "email": "ada@example.org", **PASSWORD})
    editor = public.login("ada", PASSWORD["password"])
    tag = editor.ask("/api/staff/tags", {"name": "Garden"})
    episode = editor.ask("/api/staff/podcasts", {**EPISODE, "tagIds": [tag["id"]]})
    path = f"/api/staff/podcasts/{episode['id']}"
    move = {"contentType": "podcasts", "contentId": episode["id"]}
    assert public.ask("/api/podcasts/on-compost") == 404

    editor.ask("/api/staff/approval/request", move)
    assert editor.ask("/api/staff/approval/approve", move) == 403
    assert admin.ask("/api/staff/notifications")[0]["contentType"] == "podcasts"
    admin.ask("/api/staff/approval/approve", move)

    for query in ("tag=garden", "search=compost", "limit=1"):
        assert [each["id"] for each in public.ask(f"/api/podcasts?{query}")] == [episode["id"]]
    assert editor.ask(path, {"title": "On peat"}, "PUT")["staged"] is True
    assert public.ask("/api/podcasts/on-compost")["title"] == "On compost"


REVISED = ("", "/compare", "/{revision_id}", "/{revision_id}/restore")


def test_its_endpoints_are_closed_and_described_like_all_others(served: str) -> None:
    public = Caller(served.rsplit(maxsplit=1)[-1])

    paths = public.ask("/openapi.json")["paths"]

    assert {path for path in paths if re.match(r"/api/(staff/)?podcasts\b", path)} == {
        *(f"/api/podcasts{rest}" for rest in ("", "/{slug}", "/{id}/related")),
        *(f"/api/staff/podcasts{rest}" for rest in ("", "/bulk", "/{id}", "/{id}/staged")),
        *(f"/api/staff/podcasts/{{id}}/revisions{rest}" for rest in REVISED),
        *(f"/api/staff/podcasts/{{id}}/{name}" for name in ("duplicate", "presence", "preview")),
        *(f"/api/staff/podcasts/{{id}}/previews{rest}" for rest in ("", "/{preview_id}")),
    }
    assert public.ask("/api/staff/podcasts") == 401
