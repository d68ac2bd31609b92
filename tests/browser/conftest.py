"""A stage for hostile text: a page of a real Chromium, in which everything that runs is seen."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import brs_kb
import pytest
from playwright.sync_api import Page, Route, sync_playwright

FOLDER = Path(__file__).parent
ADDRESS = "https://stage.test/"
EMBEDS = "www.youtube.com"

# Who breaks it is seen, and not stopped: the policies are only reported about. They say what the
# sanitisers leave; a script may run in neither.
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
    """Shows sources, and tells what they managed to do."""

    page: Page
    policy: str = "page"
    requested: set[str] = field(default_factory=set)

    def perform(
        self, sources: Iterable[str], way: str, *, policy: str = "page", together: int = 250
    ) -> dict[str, set[str]]:
        """Return what sources did, those that did nothing left out.

        ``way`` is "parsed" (as a document) or "inserted" (by ``innerHTML``); ``together`` is how
        many share a frame. Where such a company did something, each of it is asked alone.
        """
        self.policy = policy
        waiting = list(sources)
        scenes = [waiting[at : at + together] for at in range(0, len(waiting), together)]
        done: dict[str, set[str]] = {}
        for at in range(0, len(scenes), MOST_SCENES):
            for scene, seen in self._play(scenes[at : at + MOST_SCENES], way):
                company = len(scene) > 1
                alone = self.perform(scene, way, policy=policy, together=1) if company else {}
                done |= alone or {"".join(scene): seen}
        return done

    def show(self, source: str) -> Page:
        """Return a page that is made of ``source``."""
        self.page.goto(ADDRESS)
        self.page.set_content(source, wait_until="load")
        return self.page

    def _play(self, scenes: list[list[str]], way: str) -> list[tuple[list[str], set[str]]]:
        """Return the scenes in which something was seen; an empty one for what nobody admits."""
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
        """Answer the request for the stage itself, note one that has no business, and end it."""
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
    """The path of a Chromium; without one a proof fails, and anybody else's tests go on."""
    names = ("chromium", "chromium-browser", "google-chrome")
    if found := next(filter(None, map(shutil.which, names)), None):
        return found
    missing = "no Chromium on PATH (on Debian: apt install chromium)"
    if os.environ.get("CI"):
        pytest.fail(missing)
    pytest.skip(missing)


@pytest.fixture(scope="module")
def stage(chromium: str) -> Iterator[Stage]:
    """A stage in a browser of the module's own, without a network."""
    arguments = ["--host-resolver-rules=MAP * ~NOTFOUND"]
    # Its sandbox refuses root, whom tests in containers often are.
    sandboxed = os.geteuid() != 0
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium, args=arguments, chromium_sandbox=sandboxed
        )
        context = browser.new_context()
        stage = Stage(context.new_page())
        context.add_init_script(path=FOLDER / "stage.js")
        context.route("**/*", stage.answer)
        context.on("page", lambda page: stage.requested.add(f"opened a window {page.url}"))
        context.on("dialog", lambda dialog: _note(stage, dialog))
        yield stage
        browser.close()


def _note(stage: Stage, dialog: Any) -> None:
    stage.requested.add(f"showed a dialogue {dialog.message}")
    dialog.dismiss()


@pytest.fixture(scope="session")
def payloads() -> list[str]:
    """Thousands of published ways to smuggle in a script, and those that mutate in a browser."""
    published = {entry["payload"] for entry in brs_kb.get_all_payloads().values()}
    own = (FOLDER / "mutations.txt").read_text("utf-8").splitlines()
    return sorted(published | set(filter(None, own)))


@pytest.fixture(scope="session")
def vectors(payloads: list[str]) -> Callable[[str], list[str]]:
    """The payloads in a place (``{}``): all where they stand alone, else a quarter of them."""

    def put(place: str) -> list[str]:
        chosen = payloads if place == "{}" else payloads[::4]
        return [place.replace("{}", payload) for payload in chosen]

    return put


@pytest.fixture(scope="session")
def accepted() -> Callable[[Callable[[str], str], Iterable[str]], list[str]]:
    """What a door makes of each text that it doesn't refuse, each answer once."""

    def pass_through(door: Callable[[str], str], texts: Iterable[str]) -> list[str]:
        found: dict[str, None] = {}
        for text in texts:
            try:
                found[door(text)] = None
            except ValueError:
                continue
        return list(found)

    return pass_through
