"""The static website of examples/website, built from a served demo and opened in Chromium."""

from __future__ import annotations

import json
import math
import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.conftest import chromium  # noqa: F401 - the fixture of the browser's path
from tests.clients.conftest import ROOT, run_program
from tests.journeys.conftest import Site

pytestmark = [pytest.mark.slow, pytest.mark.any_database]

_IMPORTED = 110
_HOSTILE = (
    """</title></h1><script>document.title = 'taken'</script>"><img src=x onerror=alert(1)>"""
)
_AXE = "axe.run().then(found => found.violations.map(each => [each.id, each.nodes[0].html]))"
_SHIFT = """() => new Promise(resolve => {
  let sum = 0;
  new PerformanceObserver(list => list.getEntries().forEach(each => sum += each.value))
    .observe({type: 'layout-shift', buffered: true});
  scrollTo(0, document.body.scrollHeight);
  setTimeout(() => resolve(sum), 150);
})"""
_LINKS = {"href", "src", "srcset", "action"}


class Quiet(SimpleHTTPRequestHandler):
    """Serves a folder without a log."""

    def log_message(self, *arguments: Any) -> None:
        """Log nothing."""


class Links(HTMLParser):
    """Collects the addresses in a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: set[str] = set()
        self.feed(text)

    def handle_starttag(self, _tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Collect the addresses in the attributes of an element."""
        for name, value in attrs:
            if name == "srcset":
                self.found |= {part.split()[0] for part in (value or "").split(", ")}
            elif name in _LINKS:
                self.found.add(value or "")


class Website:
    """The folder of a website, built from an instance."""

    def __init__(self, api: Site, folder: Path, address: str) -> None:
        self.api = api
        self.folder = folder
        self.address = address
        self.output = folder / "site"

    def build(self) -> tuple[int, int, int, int]:
        """Build it; return the numbers of pages, requests, unchanged answers and written files."""
        environ = {**os.environ, "MASTHEAD_API": self.api.address, "SITE_URL": self.address}
        done = subprocess.run(
            ["node", "built/build.js"],
            cwd=self.folder,
            env=environ,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        pages, requests, unchanged, written = map(int, re.findall(r"\d+", done.stdout))
        return pages, requests, unchanged, written

    @property
    def paths(self) -> list[str]:
        """The paths of all pages, as its sitemap names them."""
        return re.findall(f"<loc>{self.address}(.*?)</loc>", self.text("sitemap.xml"))

    def text(self, name: str) -> str:
        """Return the content of a file."""
        return (self.output / name).read_text("utf-8")


def _publish(site: Site, token: str, values: dict[str, Any]) -> int:
    created = site.ask("POST", "/api/staff/news", values, token).json
    item = {"contentType": "news", "contentId": created["id"]}
    for step in ("request", "approve"):
        assert site.ask("POST", f"/api/staff/approval/{step}", item, token).status == 200
    return int(created["id"])


def _fill(site: Site, folder: Path) -> None:
    """Import articles, publish a hostile one, and change the slug of another."""
    lines = [json.dumps({"id": n, "title": f"Note {n}"}) for n in range(_IMPORTED)]
    (folder / "notes.jsonl").write_text("\n".join(lines))
    program = [sys.executable, "-c", "from masthead.cli import main; main()"]
    subprocess.run(
        [*program, "import", "news", "notes.jsonl", "--publish", "--as", "admin"],
        cwd=folder,
        env=site.environ,
        check=True,
        capture_output=True,
    )
    token = site.log_in("admin", site.printed_value("password"))
    values = {"title": _HOSTILE, "description": _HOSTILE, "slug": "hostile", "lang": "ar"}
    _publish(site, token, {**values, "content": "<h2>Text</h2><script>alert(1)</script>"})
    moved = _publish(site, token, {"title": "Open day", "slug": "former"})
    answer = site.ask("PUT", f"/api/staff/news/{moved}", {"slug": "present"}, token)
    assert answer.json["slug"] == "present"
    # Other tests of clients may have changed the organisation.
    site.ask("PUT", "/api/staff/site", {"tagline": "Mending & growing"}, token)


@pytest.fixture(scope="module")
def website(
    demo_site: Site, packed: Path, node_modules: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Website]:
    folder = tmp_path_factory.mktemp("website")
    ignored = shutil.ignore_patterns("node_modules", "built", "site", ".cache")
    shutil.copytree(ROOT / "examples" / "website", folder, ignore=ignored, dirs_exist_ok=True)
    (folder / "node_modules").symlink_to(packed / "node_modules")
    run_program(node_modules, folder, "tsc")
    _fill(demo_site, folder)
    (folder / "site").mkdir()
    handler = partial(Quiet, directory=folder / "site")
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    website = Website(demo_site, folder, f"http://127.0.0.1:{server.server_port}")
    website.build()
    yield website
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:  # noqa: F811 - a fixture
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(
            executable_path=chromium, chromium_sandbox=os.geteuid() != 0
        )


def _open(browser: Browser, website: Website, width: int, scheme: Any) -> tuple[Page, list[str]]:
    """Return a page of a browser, and the list of its messages and errors."""
    context = browser.new_context(
        color_scheme=scheme, viewport={"width": width, "height": 800}, base_url=website.address
    )
    page, complaints = context.new_page(), list[str]()
    page.on("console", lambda said: complaints.append(said.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    return page, complaints


def test_the_number_of_requests_depends_on_pages_of_lists(website: Website) -> None:
    pages, requests, _, _ = website.build()
    lists = [
        len(website.api.ask("GET", f"/api/{name}?limit=500&fields=id").json)
        for name in ("news", "events", "actions")
    ]
    written = {"/how-we-decide/", "/imprint/"}.intersection(website.paths)

    assert lists[0] > _IMPORTED
    assert requests == 7 + sum(math.ceil(count / 100) for count in lists) + len(written)
    assert pages > sum(lists)


def test_a_build_reads_and_writes_only_changes(website: Website) -> None:
    token = website.api.log_in("admin", website.api.printed_value("password"))
    passing = _publish(website.api, token, {"title": "Passing", "slug": "passing"})
    website.build()
    page = website.output / "news" / "passing" / "index.html"
    assert page.exists()
    pages, requests, unchanged, written = website.build()
    assert (requests, written) == (unchanged, 0)

    assert website.api.ask("DELETE", f"/api/staff/news/{passing}", token=token).status == 200
    fewer, _, unchanged, _ = website.build()

    assert fewer == pages - 1
    assert 0 < unchanged < requests
    assert not page.exists()


def test_all_links_of_all_pages_answer(website: Website) -> None:
    addresses = set[str]()
    for file in website.output.rglob("*.html"):
        addresses |= Links(file.read_text("utf-8")).found
    api = website.api.address
    posted = {f"{api}/api/contact"}

    own = {link for link in addresses if link.startswith("/")}
    missing = [
        link
        for link in own
        if not (
            website.output / link.lstrip("/") / ("index.html" if link.endswith("/") else "")
        ).exists()
    ]
    assert missing == []
    asked = {link for link in addresses if link.startswith(api)} - posted
    assert [link for link in asked if website.api.ask("GET", link[len(api) :]).status != 200] == []
    assert {f"{api}/api/feed/news", f"{api}/api/feed/events.ics"} <= asked


@pytest.mark.parametrize(
    ("width", "scheme"),
    [pytest.param(360, "light", marks=pytest.mark.exhaustive), (1280, "dark")],
)
def test_the_pages_are_accessible_and_stay_where_they_are(
    width: int,
    scheme: str,
    browser: Browser,
    website: Website,
    node_modules: Path,
) -> None:
    page, complaints = _open(browser, website, width, scheme)
    axe = (node_modules / "axe-core" / "axe.min.js").read_text()
    details = [
        path for path in website.paths if re.match(r"/(?!news/note|tags/)\w+/[\w-]+/$", path)
    ]
    lists = ["/", "/about/", "/people/", "/tags/", "/tags/river/", "/search/?q=river", "/contact/"]
    assert len(details) > 10

    for path in [*lists, "/news/", "/events/", "/actions/", "/how-we-decide/", *details[::2]]:
        page.goto(path, wait_until="load")
        assert page.evaluate(_SHIFT) == 0, path
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
        page.evaluate(axe)
        assert page.evaluate(_AXE) == [], path
    assert complaints == []


def test_hostile_texts_are_shown_as_texts(browser: Browser, website: Website) -> None:
    page, complaints = _open(browser, website, 1280, "light")

    page.goto("/news/hostile/")
    assert page.locator("h1").inner_text() == _HOSTILE
    assert page.locator("article").get_attribute("dir") == "rtl"
    assert page.title().startswith(_HOSTILE)
    assert page.locator("script, [onerror]").count() == 0

    page.goto("/search/?q=taken")
    page.get_by_role("link", name=_HOSTILE).wait_for()
    assert page.locator("#hits [onerror], #hits script").count() == 0
    assert complaints == []


def test_a_former_address_leads_to_the_present_one(browser: Browser, website: Website) -> None:
    page, _ = _open(browser, website, 1280, "light")

    page.goto("/news/former/")
    page.wait_for_url("**/news/present/")

    assert page.locator("h1").inner_text() == "Open day"
    assert "/news/former /news/present/ 301\n" in website.text("_redirects")
