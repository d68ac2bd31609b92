"""Blank text in a change clears no time, number or boolean."""

from __future__ import annotations

import re

import pytest

from masthead import Bool, Instance, Int, ListOf, Nullable, Object, Plugin, Timestamp
from masthead.plugins import installed
from masthead.testing import Client

NEWSLETTER = {"title": "May", "subject": "May", "html_content": "<p>May</p>"}


@pytest.fixture
def plugins() -> list[Plugin]:
    return list(installed().values())


@pytest.fixture
def staff(app: Client) -> Client:
    return app.as_role("admin")


@pytest.mark.parametrize("blank", ["", " ", "\u200b"])
def test_no_change_takes_blank_text_for_a_time_or_number(
    instance: Instance, staff: Client, blank: str
) -> None:
    tried = set()
    for endpoint in instance.endpoints:
        if endpoint.method != "PUT":
            continue
        for node in endpoint.body or ():
            inner = node.typ.inner if isinstance(node.typ, Nullable) else None
            if isinstance(inner, Timestamp | Int | Bool | ListOf | Object):
                path = re.sub(r"\{\w+\}", "1", endpoint.path)
                error = staff.put_json(path, {node.name: blank}, status=400).json["error"]
                assert f"{node.name}: " in error, endpoint.name
                tried.add((endpoint.name, node.name))
    assert ("staff.newsletters.update", "scheduled_send_at") in tried
    assert ("staff.follow-up-rules.update", "emailTemplateId") in tried
    assert len(tried) > 10


def test_a_scheduled_newsletter_stays_scheduled(staff: Client) -> None:
    time = {"scheduled_send_at": "2036-01-01T00:00:00.000Z"}
    path = (
        f"/api/staff/newsletters/{staff.post_json('/api/staff/newsletters', NEWSLETTER).json['id']}"
    )
    item = {"contentType": "newsletters", "contentId": int(path.rpartition("/")[2])}
    for step in ("request", "approve"):
        staff.post_json(f"/api/staff/approval/{step}", item)
    staff.post_json(f"{path}/schedule", time)

    staff.put_json(path, {"scheduled_send_at": ""}, status=400)
    staff.post_json(f"{path}/schedule", {"scheduled_send_at": ""}, status=400)

    assert staff.get(path).json["status"] == "scheduled"
    assert staff.put_json(path, {"scheduled_send_at": None}).json["status"] == "draft"
