"""A page in a real Chromium that displays hostile markup and records every script and request."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import brs_kb
import pytest
from playwright.sync_api import Browser, Error, Page, Route, sync_playwright

FOLDER = Path(__file__).parent
ADDRESS = "https://stage.test/"
EMBEDS = "www.youtube.com"

# The policies only report, so that a violation is recorded and not blocked. They allow everything
# that the sanitisers allow, and neither allows a script.
_HARMLESS = (
    "default-src 'none'; script-src 'report-sample'; base-uri 'none'; form-action 'none'; "
    "img-src http: https: data:; media-src http: https:; "
)
POLICIES = {
    "page": f"{_HARMLESS}style-src-attr 'unsafe-inline'; frame-src https://{EMBEDS}",
    "mail": f"{_HARMLESS}style-src 'unsafe-inline'; font-src http: https:",
}
LOADED = frozenset(("font", "image", "media", "texttrack"))
MOST_SCENES = 200
NOBODY = -1


@dataclass
class Stage:
    """Displays sources, and records the scripts and requests that they run."""

    page: Page
    policy: str = "page"
    requested: set[str] = field(default_factory=set)

    def perform(
        self, sources: Iterable[str], way: str, *, policy: str = "page", together: int = 250
    ) -> dict[str, set[str]]:
        """Return the actions of each source that did anything.

        If a frame with several sources records an action, each of its sources runs again in a frame
        of its own.

        :param way: "parsed" (as a document) or "inserted" (by ``innerHTML``).
        :param together: the number of sources in a frame.
        """
        self.policy = policy
        waiting = list(sources)
        scenes = [waiting[at : at + together] for at in range(0, len(waiting), together)]
        done: dict[str, set[str]] = {}
        for at in range(0, len(scenes), MOST_SCENES):
            for scene, seen in self._play(scenes[at : at + MOST_SCENES], way):
                shared = len(scene) > 1
                alone = self.perform(scene, way, policy=policy, together=1) if shared else {}
                done |= alone or {"".join(scene): seen}
        return done

    def show(self, source: str) -> Page:
        """Return a page with the content ``source``."""
        self.page.goto(ADDRESS)
        self.page.set_content(source, wait_until="load")
        return self.page

    def _play(self, scenes: list[list[str]], way: str) -> list[tuple[list[str], set[str]]]:
        """Return the scenes with recorded actions; an action of no known scene has an empty one."""
        self.page.goto(ADDRESS)
        self.requested.clear()
        done: dict[int, set[str]] = {}
        play = "([scenes, way]) => perform(scenes, way)"
        for number, what in self.page.evaluate(play, [scenes, way]):
            done.setdefault(number, set()).add(what)
        if self.requested:
            done.setdefault(NOBODY, set()).update(self.requested)
        return [(scenes[at] if at != NOBODY else [], seen) for at, seen in done.items()]

    def answer(self, route: Route) -> None:
        """Serve the stage's own page; abort other requests and record forbidden ones."""
        request = route.request
        if request.url == ADDRESS:
            headers = {"Content-Security-Policy-Report-Only": POLICIES[self.policy]}
            route.fulfill(body="<!doctype html><body>", content_type="text/html", headers=headers)
            return
        embed = self.policy == "page" and urlsplit(request.url).hostname == EMBEDS
        if request.resource_type not in LOADED and not (embed and request.is_navigation_request()):
            self.requested.add(f"requested {request.resource_type} {request.url}")
        route.abort()


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of a Chromium; without one, CI fails and other runs skip the tests."""
    names = ("chromium", "chromium-browser", "google-chrome")
    if found := next(filter(None, map(shutil.which, names)), None):
        return found
    missing = "no Chromium on PATH (on Debian: apt install chromium)"
    if os.environ.get("CI"):
        pytest.fail(missing)
    pytest.skip(missing)


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    """A browser without network access, one per module."""
    arguments = ["--host-resolver-rules=MAP * ~NOTFOUND"]
    # Chromium's sandbox refuses to run as root, and tests in containers often run as root.
    sandboxed = os.geteuid() != 0
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium, args=arguments, chromium_sandbox=sandboxed
        )
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def stage(browser: Browser) -> Stage:
    """A stage in the browser."""
    context = browser.new_context()
    stage = Stage(context.new_page())
    context.add_init_script(path=FOLDER / "stage.js")
    context.route("**/*", stage.answer)
    context.on("page", lambda page: stage.requested.add(f"opened a window {page.url}"))
    context.on("dialog", lambda dialog: _note(stage, dialog))
    return stage


def _note(stage: Stage, dialog: Any) -> None:
    stage.requested.add(f"showed a dialogue {dialog.message}")
    # The browser has closed the dialogue of a page that was left meanwhile.
    with suppress(Error):
        dialog.dismiss()


@pytest.fixture(scope="session")
def payloads() -> list[str]:
    """Thousands of published XSS payloads, and payloads that mutate in a browser."""
    published = {entry["payload"] for entry in brs_kb.get_all_payloads().values()}
    own = (FOLDER / "mutations.txt").read_text("utf-8").splitlines()
    return sorted(published | set(filter(None, own)))


@pytest.fixture(scope="session")
def vectors(payloads: list[str]) -> Callable[[str], list[str]]:
    """Return a function that puts payloads into a place: all into ``{}``, a quarter into others."""

    def put(place: str) -> list[str]:
        chosen = payloads if place == "{}" else payloads[::4]
        return [place.replace("{}", payload) for payload in chosen]

    return put


@pytest.fixture(scope="session")
def accepted() -> Callable[[Callable[[str], str], Iterable[str]], list[str]]:
    """Return a function that parses texts and returns the distinct results of the accepted ones."""

    def parse_all(parse: Callable[[str], str], texts: Iterable[str]) -> list[str]:
        found: dict[str, None] = {}
        for text in texts:
            try:
                found[parse(text)] = None
            except ValueError:
                continue
        return list(found)

    return parse_all
