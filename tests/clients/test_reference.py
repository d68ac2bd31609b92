"""The reference at ``/docs`` works in Chromium, in light and dark, and is accessible."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, sync_playwright

from masthead.testing import Client
from tests.browser.conftest import chromium  # noqa: F401 - the fixture of the browser's path

pytestmark = [pytest.mark.slow, pytest.mark.any_database]

_ADDRESS = "https://reference.test/docs"
_OPENED = ("news.list", "staff.news.update", "navigation.list", "schema-NewsArticle")
_OPEN = "ids => ids.forEach(id => document.getElementById(id).open = true)"
_AXE = "axe.run().then(found => found.violations.map(each => [each.id, each.nodes[0].html]))"


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:  # noqa: F811 - a fixture
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(
            executable_path=chromium,
            args=["--host-resolver-rules=MAP * ~NOTFOUND"],
            chromium_sandbox=os.geteuid() != 0,
        )


def open_reference(browser: Browser, app: Client, scheme: str, width: int, *, free: bool) -> Page:
    """Open the page as the app serves it.

    :param free: whether the page's policy is ignored, so that the test can add a script.
    """
    answer = app.get("/docs")

    def serve(route: Route) -> None:
        if route.request.url.partition("#")[0] == _ADDRESS:
            route.fulfill(body=answer.body, headers=dict(answer.headers))
        else:
            route.abort()

    context = browser.new_context(
        color_scheme="dark" if scheme == "dark" else "light",
        viewport={"width": width, "height": 800},
        bypass_csp=free,
    )
    page = context.new_page()
    page.route("**/*", serve)
    page.goto(f"{_ADDRESS}#staff.news.update")
    return page


@pytest.mark.parametrize("width", [360, pytest.param(1280, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.exhaustive)])
def test_the_reference_is_accessible(
    scheme: str, width: int, browser: Browser, app: Client, node_modules: Path
) -> None:
    page = open_reference(browser, app, scheme, width, free=True)
    page.evaluate(_OPEN, _OPENED)
    page.add_script_tag(content=(node_modules / "axe-core" / "axe.min.js").read_text())

    assert page.evaluate(_AXE) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_link_opens_its_operation_and_the_filter_finds_others(
    browser: Browser, app: Client
) -> None:
    page = open_reference(browser, app, "light", 1280, free=False)
    complaints: list[str] = []
    page.on("console", lambda said: complaints.append(said.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))

    page.wait_for_function("document.activeElement.parentElement.id === 'staff.news.update'")
    assert page.locator("[id='staff.news.update'][open]").count() == 1

    page.keyboard.press("/")
    page.keyboard.type("subscribe")
    shown = page.locator(".entry:visible").evaluate_all("all => all.map(each => each.id)")
    assert "newsletter.subscribe" in shown
    assert "news.list" not in shown
    assert page.locator("#found").inner_text().startswith(f"{len(shown)} of ")

    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    page.locator("a[href='#schema-NewsArticle']").first.evaluate("link => link.click()")
    page.wait_for_selector("[id='schema-NewsArticle'][open]")
    assert complaints == []


class TestReaders:
    """``masthead.openapi.readers = staff`` lets the page ask for a token."""

    @pytest.fixture
    def settings(self) -> Mapping[str, str]:
        return {"masthead.openapi.readers": "staff"}

    def test_a_token_opens_the_reference_until_the_tab_is_closed(
        self, browser: Browser, app: Client
    ) -> None:
        staff = app.as_role("editor")
        _, token = staff.authorization

        def serve(route: Route) -> None:
            sent = route.request.headers.get("authorization")
            known = sent == f"Bearer {token}"
            answer = staff.get("/docs") if known else app.get("/docs", status=401)
            headers = dict(answer.headers)
            route.fulfill(body=answer.body, headers=headers, status=answer.status_int)

        page = browser.new_page()
        page.route("**/docs", serve)
        page.goto(_ADDRESS)
        page.fill("#token", "wrong")
        page.click("button")
        page.wait_for_function("document.getElementById('refused').textContent")
        page.fill("#token", token)
        page.click("button")
        page.wait_for_selector("#filter")
        page.reload()
        page.fill("#filter", "navigation.list")
        page.wait_for_function("document.getElementById('found').textContent")
        assert page.is_visible("text=Groups")
