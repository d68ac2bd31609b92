"""Editors read from saved content what they wrote: nothing is lost and nothing changes again."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

import pytest

from masthead.testing import Client, Desk

pytestmark = [pytest.mark.slow, pytest.mark.any_database]

FOLDER = Path(__file__).parent / "editors"
INSTALLED = Path(__file__).parents[2] / ".dev" / "editors"
EDITORS = ["ckeditor", "lexical", "quill", "quillSemantic", "tiptap", "trix"]
ADDRESS = "https://editors.test/"


def run(*command: str) -> None:
    done = subprocess.run(command, cwd=INSTALLED, capture_output=True, text=True, check=False)
    if done.returncode:
        fail_or_skip(f"{command[0]} failed: {done.stderr[-500:]}")


def fail_or_skip(reason: str) -> None:
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="module")
def bundle() -> Path:
    """The script with all editors; without npm, CI fails and other runs skip the tests."""
    if not shutil.which("npm"):
        fail_or_skip("no npm on PATH (on Debian: apt install npm)")
    INSTALLED.mkdir(parents=True, exist_ok=True)
    with (INSTALLED / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        wanted, stamp = (FOLDER / "package.json").read_text(), INSTALLED / "installed.json"
        shutil.copytree(FOLDER, INSTALLED, dirs_exist_ok=True)
        if not stamp.exists() or stamp.read_text() != wanted:
            run("npm", "install", "--ignore-scripts", "--no-package-lock", "--no-audit")
            stamp.write_text(wanted)
        options = ("--bundle", "--loader:.css=empty", "--log-level=error")
        run("node_modules/.bin/esbuild", "index.js", *options, "--outfile=bundle.js")
    return INSTALLED / "bundle.js"


@pytest.fixture(scope="module")
def page(browser: Any, bundle: Path) -> Iterator[Any]:
    """A page with the editors and without network access; errors in it fail the test."""
    context = browser.new_context()
    page, errors = context.new_page(), list[str]()
    page.on("pageerror", lambda error: errors.append(str(error)))
    context.route("**/*", lambda route: route.abort())
    blank = "<!doctype html><body>"
    context.route(ADDRESS, lambda route: route.fulfill(body=blank, content_type="text/html"))
    page.goto(ADDRESS)
    page.add_script_tag(path=bundle)
    yield page
    context.close()
    assert errors == []


@pytest.fixture
def plugins() -> list[str]:
    """Enable all installed plugins."""
    return []


ACTIVE = """() => [...document.querySelectorAll("trix-editor *")].flatMap((element) => [
  ...element.getAttributeNames().filter((name) => name.startsWith("on")),
  ...(["script", "iframe", "form", "object"].includes(element.localName) ? ["element"] : []),
  ...(element.protocol && !/^(https?|mailto|tel)?:$/.test(element.protocol) ? [element.href] : []),
])"""


def call_editor(page: Any, name: str, method: str, argument: Any = None) -> Any:
    code = "([name, method, argument]) => editors[name][method](argument)"
    return page.evaluate(code, [name, method, argument])


@pytest.mark.exhaustive
def test_hostile_attachments_do_nothing_in_trix(
    page: Any, app: Client, payloads: list[str]
) -> None:
    shown = list[str]()
    page.on("dialog", lambda dialog: (shown.append(dialog.message), dialog.dismiss()))
    attachments = [{"content": each, "href": each, "url": each} for each in payloads[::25]]
    figures = [
        f'<figure data-trix-attachment="{escape(json.dumps(each))}">x</figure>'
        for each in attachments
    ]
    desk = Desk(app, "news").as_role("editor")

    stored = desk.create(content="".join(figures))["content"]
    read = call_editor(page, "trix", "read", stored)
    page.wait_for_timeout(200)

    assert json.dumps(read).count('"type": "attachment"') == len(figures) > 100
    assert page.evaluate(ACTIVE) == []
    assert shown == []


@pytest.mark.parametrize("name", EDITORS)
def test_an_editor_reads_what_it_saved(page: Any, app: Client, name: str) -> None:
    def call(method: str, argument: Any = None) -> Any:
        return call_editor(page, name, method, argument)

    def saved(html: str) -> str:
        return str(desk.edit(item, content=html)["content"])

    desk = Desk(app, "news").as_role("editor")
    item = desk.create()["id"]
    # Some editors write other HTML after they have read their own.
    html = call("write", call("read", call("make")))
    model = call("read", html)

    stored = saved(html)
    opened = call("read", stored)

    assert opened == model
    assert saved(call("write", opened)) == stored
