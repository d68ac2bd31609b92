"""The archive of newsletters in the sitemap: public ones, until they are withdrawn."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest

from masthead.testing import Client

STAFF = "/api/staff/newsletters"
BODY = {"title": "May", "subject": "May", "html_content": "<p>Hello</p>"}


@pytest.fixture
def plugins() -> list[str]:
    return ["email", "feeds"]


@pytest.fixture
def settings() -> Mapping[str, str]:
    return {
        "masthead.base_url": "https://api.example.org",
        "masthead.site_url": "https://example.org",
    }


def test_the_sitemap_has_sent_public_newsletters_only(app: Client) -> None:
    staff = app.as_role("admin")

    def send(*, public: bool) -> int:
        number: int = staff.post_json(STAFF, {**BODY, "public": public}).json["id"]
        item = {"contentType": "newsletters", "contentId": number}
        staff.post_json("/api/staff/approval/request", item)
        staff.post_json("/api/staff/approval/approve", item)
        assert shown() == []
        staff.post_json(f"{STAFF}/{number}/send", {})
        return number

    def shown() -> list[str]:
        addresses = re.findall("<loc>([^<]*)</loc>", app.get("/sitemap.xml").text)
        return [each for each in addresses if "newsletters" in each]

    send(public=False)
    number = send(public=True)
    address = f"https://api.example.org/api/newsletters/{number}/page"
    assert shown() == [address]
    assert app.get(address.removeprefix("https://api.example.org")).status_int == 200
    staff.post_json(f"{STAFF}/{number}/withdraw", {})
    assert shown() == []
