"""The TypeScript client in Chromium, on a page of another origin than the API."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import sync_playwright

from masthead.testing.http_server import HttpServer, Received, Reply
from tests.browser.conftest import chromium  # noqa: F401 - the fixture of the browser's path
from tests.clients.conftest import run_program

pytestmark = pytest.mark.slow

_BUNDLE = ("--bundle", "--minify", "--format=iife", "--global-name=Masthead", "--outfile=page.js")
_PAGE = """<!doctype html><form>
<input name="name" value="Ada"><input name="email" value="ada@example.org">
<input name="subject" value=""><textarea name="message">Do you swap seeds?</textarea></form>"""
_STAFF = """async ([baseUrl, password]) => {
  const { MastheadClient, webSessions } = Masthead;
  const options = { baseUrl, sessions: webSessions(sessionStorage) };
  await new MastheadClient(options).auth.logIn("admin", password);
  const client = new MastheadClient(options);
  const gif = await (await fetch("data:image/gif;base64,"
    + "R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==")).arrayBuffer();
  const steps = [];
  const file = new File([gif, new Uint8Array(500000)], "dot.gif");
  const onProgress = (sent, total) => steps.push(sent === total);
  const { url } = await client.upload("/api/staff/upload/image", file, { onProgress });
  const { id } = await client.post("/api/staff/news", {
    body: { title: "From a browser" },
    params: { header: { "Idempotency-Key": "browser" } },
  });
  const edit = await client.edit("/api/staff/news/{id}", { params: { path: { id } } });
  await edit.save({ title: "From Chromium" });
  let first;
  for await (const event of client.liveEvents({ watch: [`news:${id}`] })) {
    if (event.event !== "changed") continue;
    first = event.data.etag;
    break;
  }
  await edit.remove();
  let pages = 0;
  const params = { query: { limit: 1 } };
  for await (const _ of client.pages("/api/people", { params })) pages++;
  await client.auth.logOut();
  return { url, done: steps.at(-1), same: first === edit.etag || `"${first}"` === edit.etag,
    pages, kept: sessionStorage.getItem("masthead-session") };
}"""
_VISITOR = """async ([baseUrl]) => {
  const client = new Masthead.MastheadClient({ baseUrl });
  const form = document.querySelector("form");
  try {
    await client.submit("/api/contact", new FormData(form));
  } catch (error) {
    form.elements.subject.value = error.field("subject").code;
  }
  return (await client.submit("/api/contact", new FormData(form))).success;
}"""


class PageServer(HttpServer):
    """Serves one page at each address."""

    def answer(self, received: Received) -> Reply:  # noqa: ARG002 - all answers are equal
        """Return the page."""
        return Reply(200, {"Content-Type": "text/html"}, _PAGE.encode())


def test_the_client_works_in_a_browser(
    chromium: str,  # noqa: F811 - a fixture
    packed: Path,
    node_modules: Path,
    demo_site: Any,
) -> None:
    (packed / "page.ts").write_text('export * from "masthead-client";')
    run_program(node_modules, packed, "esbuild", "page.ts", *_BUNDLE)
    server = PageServer()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium, chromium_sandbox=os.geteuid() != 0
        )
        page = browser.new_page()
        page.goto(server.url)
        page.add_script_tag(path=packed / "page.js")
        staff = page.evaluate(_STAFF, [demo_site.address, demo_site.printed_value("password")])
        visitor = page.evaluate(_VISITOR, [demo_site.address])
        browser.close()
    server.close()

    people = demo_site.ask("GET", "/api/people").json
    assert staff.pop("url").startswith("/api/images/")
    assert staff == {"done": True, "same": True, "pages": len(people), "kept": "null"}
    assert visitor is True
