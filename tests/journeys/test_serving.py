"""A server that is started in an empty folder, used, stopped, killed and restarted."""

from __future__ import annotations

import threading
from http.client import HTTPException
from typing import Any

import pytest

pytestmark = pytest.mark.slow

NEWS = "/api/staff/news"


def approve(site: Any, token: str, item_id: int) -> None:
    """Request an item's approval, and approve it."""
    for move in ("request", "approve"):
        body = {"contentType": "news", "contentId": item_id}
        answer = site.ask("POST", f"/api/staff/approval/{move}", body, token)
        assert (answer.status, answer.json) == (200, {"success": True})


def test_from_an_empty_folder_to_a_public_article_and_a_clean_exit(site: Any) -> None:
    site.start()
    site.wait_until_ready()
    assert site.ask("GET", "/api/news").json == []

    token = site.log_in(site.printed_value("username"), site.printed_value("password"))
    assert site.ask("GET", "/api/auth/check", token=token).json["user"]["roles"] == ["admin"]
    draft = site.ask("POST", NEWS, {"title": "Größe zählt", "content": "<p>x"}, token).json
    assert (draft["approvalStatus"], draft["published"]) == ("draft", False)
    assert site.ask("GET", "/api/news").json == []
    approve(site, token, draft["id"])

    [listed] = site.ask("GET", "/api/news").json
    shown = site.ask("GET", f"/api/news/{listed['slug']}")
    assert shown.json["content"] == "<p>x</p>"
    known = {"If-None-Match": shown.headers["ETag"]}
    again = site.ask("GET", f"/api/news/{listed['slug']}", headers=known)
    assert (again.status, again.body) == (304, b"")
    assert "Server" not in shown.headers

    missing = site.ask("GET", "/nowhere")
    assert (missing.status, missing.json) == (404, {"error": "Not found"})
    assert site.ask("OPTIONS", "/nowhere").headers["Access-Control-Allow-Origin"] == "*"

    assert site.terminate() == 0


def test_acknowledged_writes_survive_a_kill(site: Any) -> None:
    site.start()
    token = site.log_in(site.printed_value("username"), site.printed_value("password"))
    acknowledged: list[str] = []
    enough = threading.Event()

    def write(name: str) -> None:
        for number in range(10_000):
            title = f"{name} {number}"
            try:
                answer = site.ask("POST", NEWS, {"title": title}, token)
            except (OSError, HTTPException):  # the server is killed, perhaps during an answer
                return
            if answer.status == 200:
                acknowledged.append(title)
            if len(acknowledged) >= 40:
                enough.set()

    writers = [threading.Thread(target=write, args=(f"Writer {n}",)) for n in range(4)]
    for writer in writers:
        writer.start()
    assert enough.wait(60)
    site.kill()
    for writer in writers:
        writer.join()

    site.start()
    kept = {item["title"] for item in site.ask("GET", NEWS, token=token).json}
    assert len(acknowledged) >= 40
    assert set(acknowledged) <= kept
    assert site.ask("POST", NEWS, {"title": "Afterwards"}, token).status == 200
    assert site.terminate() == 0
