"""Previews of letters."""

from __future__ import annotations

from typing import Any

from masthead.testing import Client

UNSAVED = "/api/staff/newsletters/preview"
HTML = (
    '<style>p { color: red }</style><p>Dear {{name|friend}} of {{email}}</p><a href="/x">More</a>'
)


def test_a_newsletter_is_shown_as_it_would_be_sent(staff: Client) -> None:
    body = {"title": "May", "subject": "For {{name}}", "html_content": HTML, "public": True}
    item = staff.post_json("/api/staff/newsletters", body).json
    path = f"/api/staff/newsletters/{item['id']}/preview"

    shown = staff.post_json(path, {}).json

    assert shown["subject"] == "For Ada Example"
    assert '<p style="color: red;">Dear Ada Example of ada@example.org</p>' in shown["html"]
    assert "/api/newsletter/unsubscribe/test" in shown["html"]
    assert "/api/newsletter/unsubscribe/test" in shown["text"]
    assert "{{" not in shown["html"] + shown["text"]
    assert shown["mistakes"] == []
    changed = staff.post_json(path, {"html_content": "<p>{{nam}}</p>", "subject": "New"}).json
    assert changed["subject"] == "New"
    assert "{{name}}" in changed["mistakes"][0]
    assert staff.get(f"/api/staff/newsletters/{item['id']}").json == item


def test_a_wrapper_surrounds_a_letter(staff: Client) -> None:
    wrapper = "<div><b>{{content}}</b></div>"
    body = {"subject": "Hello", "html_content": "<p>{{name}}</p>", "html_wrapper": wrapper}
    assert "<p>Ada Example</p>" in staff.post_json(UNSAVED, body).json["html"]
    template = staff.post_json("/api/staff/email-templates", {"name": "A", **body}).json

    shown = staff.post_json(f"/api/staff/email-templates/{template['id']}/preview", {}).json

    assert "<b><p>Ada Example</p></b>" in shown["html"]
    assert "unsubscribe" not in shown["html"]


def test_addresses_of_a_subscriber_need_their_permission(
    app: Client, staff: Client, make_role: Any, make_user: Any
) -> None:
    person = {"email": "bob@example.org", "name": "Bob"}
    bob = staff.post_json("/api/staff/newsletter-subscribers", person).json
    body = {"subject": "{{name}}", "text_content": "{{email}}", "subscriber_id": bob["id"]}

    shown = staff.post_json(UNSAVED, body).json
    assert (shown["subject"], shown["text"].splitlines()[0]) == ("Bob", "bob@example.org")
    assert shown["html"] is None
    make_role("writer", "email.write")
    writer = app.as_user(make_user(role="writer"))
    assert writer.post_json(UNSAVED, body, status=403)
    assert writer.post_json(UNSAVED, {"subject": "Hello"}).json["subject"] == "Hello"
    assert (
        "subscriber_id"
        in staff.post_json(UNSAVED, {**body, "subscriber_id": 99}, status=400).json["error"]
    )
