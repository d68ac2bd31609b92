"""``masthead serve --demo``, with several processes and then with one."""

from __future__ import annotations

from typing import Any

import pytest

pytestmark = pytest.mark.slow


def test_a_newcomer_starts_the_demo_and_starts_it_again(site: Any) -> None:
    site.start("--demo", "--processes", "2")
    assert "The demo is filled in\n" in site.printed
    shown = site.ask("GET", "/api/news").json
    picture = site.ask("GET", shown[0]["imageUrl"])
    assert (picture.status, picture.headers["Content-Type"]) == (200, "image/jpeg")
    token = site.log_in("admin", site.printed_value("password"))
    told = site.ask("GET", "/api/staff/notifications", token=token).json
    item = {name: told[0][name] for name in ("contentType", "contentId")}
    assert site.ask("POST", "/api/staff/approval/approve", item, token).status == 200
    assert site.terminate() == 0

    site.printed = ""
    site.start("--demo")

    assert site.printed.splitlines()[-2] == "The demo is here already"
    assert site.ask("GET", "/api/news").json == shown
    assert site.ask("GET", shown[0]["imageUrl"]).body == picture.body
    again = site.ask("GET", "/api/staff/notifications", token=token).json
    assert [each["id"] for each in again] == [each["id"] for each in told]
    assert again[0]["read"]
    assert site.terminate() == 0
