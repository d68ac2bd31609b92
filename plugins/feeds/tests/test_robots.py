"""robots.txt allows or disallows crawlers."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from masthead.testing import Client


def test_crawlers_may_read_everything_except_the_paths_of_staff(app: Client) -> None:
    answer = app.get("/robots.txt")

    assert answer.headers["Content-Type"] == "text/plain"
    assert answer.text.splitlines() == [
        "User-agent: *",
        "Allow: /",
        "Disallow: /staff/",
        "Disallow: /api/staff/",
        "",
        "Sitemap: https://api.example.org/sitemap.xml",
    ]
    known = {"If-None-Match": answer.headers["ETag"]}
    assert app.get("/robots.txt", headers=known).status_int == 304


class TestDisallowed:
    @pytest.fixture
    def settings(self) -> Mapping[str, str]:
        return {"masthead.feeds.crawlers": "false"}

    def test_crawlers_may_read_nothing(self, app: Client) -> None:
        assert app.get("/robots.txt").text.splitlines() == ["User-agent: *", "Disallow: /"]
