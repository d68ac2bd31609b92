"""The site plugin beside all other plugins: the navigation, and the owners of paths."""

from __future__ import annotations

import pytest

from masthead.testing import Client


@pytest.fixture
def settings() -> dict[str, str]:
    return {
        "masthead.site_url": "https://www.example.org/en",
        "masthead.site_paths": "news=/blog/{slug}",
    }


def test_the_pages_of_all_plugins_have_one_order(app: Client) -> None:
    shown = [item["id"] for item in app.get("/api/navigation").json]

    every = ["home", "actions", "events", "about", "news", "people", "contact"]
    assert shown == [f"static-{name}" for name in every]


def test_a_page_takes_no_path_of_content(app: Client) -> None:
    editor = app.as_role("editor")

    def slug(title: str) -> str:
        return str(editor.post_json("/api/staff/pages", {"title": title}).json["slug"])

    assert slug("Blog") == "blog-2"
    assert slug("En") == "en"
