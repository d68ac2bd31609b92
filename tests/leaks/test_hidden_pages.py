"""Unpublished pages leave no trace in any public answer."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from masthead import Instance
from masthead.http.permissions import PUBLIC
from masthead.testing import Client

CANARY = "qzhidden"
PAGES, NAVIGATION = "/api/staff/pages", "/api/staff/navigation"
SEARCH = f"/api/search?q={CANARY[:-1]}"
MakePage = Callable[..., Any]


@pytest.fixture
def plugins() -> list[str]:
    return ["site", "feeds", "news"]


@pytest.fixture
def staff(app: Client) -> Client:
    return app.as_role("editor")


@pytest.fixture
def make_page(staff: Client) -> MakePage:
    def make(title: str, **values: Any) -> Any:
        return staff.post_json(PAGES, {"title": title, "published": True} | values).json

    return make


def addresses(instance: Instance, slugs: list[str]) -> Iterator[str]:
    """Return every public address, with each of the slugs in its path, and the search."""
    for endpoint in instance.endpoints:
        # The change log goes on telling that an item which was public has vanished.
        is_log = endpoint.path == "/api/changes"
        if (endpoint.permission, endpoint.method) == (PUBLIC, "GET") and not is_log:
            paths = {re.sub(r"{[^{}]*}", slug, endpoint.path) for slug in slugs}
            yield from sorted(paths)
    yield SEARCH


def ask(app: Client, found: list[str]) -> dict[str, tuple[int, str]]:
    """Return the answer of each address."""
    answers = {address: app.get(address, status="*") for address in found}
    return {address: (answer.status_int, answer.text) for address, answer in answers.items()}


def test_no_public_answer_reveals_an_unpublished_page(
    app: Client, staff: Client, instance: Instance, make_page: MakePage
) -> None:
    shown = make_page("Shown", content="<p>Shown</p>")
    staff.post_json(NAVIGATION, {"customPageId": shown["id"]})
    slugs = ["shown", CANARY, f"{CANARY}-2", f"{CANARY}-3", "1", "2"]
    everywhere = list(addresses(instance, slugs))
    before = ask(app, everywhere)

    never = make_page(CANARY, content=f"<p>{CANARY}</p>", published=False)
    again = make_page(CANARY, content=f"<p>{CANARY}</p>")
    folder = staff.post_json(NAVIGATION, {"label": CANARY, "isFolder": True, "hidden": True}).json
    for page in (never, again):
        for body in ({}, {"label": CANARY}, {"parentId": folder["id"]}):
            staff.post_json(NAVIGATION, {"customPageId": page["id"], **body})
    link = {"label": CANARY, "path": f"/{CANARY}"}
    staff.post_json(NAVIGATION, link | {"hidden": True})
    staff.post_json(NAVIGATION, link | {"parentId": folder["id"]})
    published = ask(app, everywhere)
    staff.put_json(f"{PAGES}/{again['id']}", {"published": False})
    hidden, kept = ask(app, everywhere), ask(app, everywhere)

    assert f"/api/pages/{CANARY}-2" in [a for a, answer in published.items() if CANARY in answer[1]]
    assert [address for address, answer in hidden.items() if CANARY in answer[1]] == []
    assert hidden == kept == before
    assert hidden[f"/api/pages/{CANARY}"] == (404, '{"error":"Not found"}')


def test_a_published_page_is_shown_in_these_answers(
    app: Client, staff: Client, instance: Instance, make_page: MakePage
) -> None:
    page = make_page(CANARY)
    staff.post_json(NAVIGATION, {"customPageId": page["id"]})

    answers = ask(app, list(addresses(instance, [CANARY])))

    shown = {address for address, (_, text) in answers.items() if CANARY in text}
    assert shown == {"/api/navigation", "/api/site", f"/api/pages/{CANARY}", "/sitemap.xml", SEARCH}


def test_a_former_slug_reveals_no_page_that_is_hidden_now(
    app: Client, staff: Client, instance: Instance, make_page: MakePage
) -> None:
    page = make_page("Shown", published=True)
    path = f"/api/staff/pages/{page['id']}"
    staff.put_json(path, {"slug": CANARY})
    asked = list(addresses(instance, ["shown"]))
    assert any(CANARY in text for _, text in ask(app, asked).values())

    staff.put_json(path, {"published": False})

    assert not [address for address, (_, text) in ask(app, asked).items() if CANARY in text]
