"""The archive: public pages of sent newsletters."""

from __future__ import annotations

from collections.abc import Callable
from email.message import EmailMessage
from typing import Any

import pytest

from masthead.testing import Client

STAFF = "/api/staff/newsletters"
ARCHIVE = "/api/newsletters"
HTML = (
    "<style>p{color:red}</style><p>Dear {{name|Friends}},{{#email}} {{email}}{{/email}}</p>"
    '<p><a href="{{archive}}">In the browser</a> <a href="{{unsubscribe}}">Leave</a>'
    "{{unsubscribe}}</p><!--[if mso]><p>Outlook</p><![endif]-->"
)
Mails = Callable[[], list[EmailMessage]]


@pytest.fixture
def send(staff: Client, subscribe: Any, make_newsletter: Any) -> Callable[..., Any]:
    """Return a function that sends a newsletter to one subscriber."""

    def make(**values: Any) -> Any:
        subscribe("ada@example.org")
        given = {"subject": "For {{name|you}}", "html_content": HTML, "public": True}
        newsletter = make_newsletter(**given | values)
        staff.post_json(f"{STAFF}/{newsletter['id']}/send", {})
        return newsletter

    return make


def test_a_public_newsletter_can_be_read_by_everybody(app: Client, send: Any, mails: Mails) -> None:
    path = f"{ARCHIVE}/{send()['id']}"

    [mail] = mails()
    page, shown = app.get(f"{path}/page"), app.get(path).json

    url = shown["url"]
    assert f'<a href="{url}"' in mail.get_body(["html"]).get_content()
    assert url == f"http://127.0.0.1:6543{path}/page"
    assert "<p>Dear Friends,</p>" in page.text
    assert "<p>Dear Friends,</p>" in shown["html"]
    assert f'<a href="{url}">In the browser</a> <a>Leave</a>' in page.text
    for text in (page.text, shown["html"]):
        assert "{{" not in text
        assert "ada@" not in text
        assert "/api/newsletter/unsubscribe/" not in text
    assert "style" not in shown["html"]
    assert "Outlook" not in shown["html"]
    policy = page.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "sandbox" in policy
    listed = {name: value for name, value in shown.items() if name != "html"}
    assert app.get(ARCHIVE).json == [listed]
    assert listed["subject"] == "For you"


@pytest.mark.parametrize("sent", [True, False])
def test_a_newsletter_is_private_unless_it_is_public_and_sent(
    app: Client, send: Any, make_newsletter: Any, mails: Mails, sent: bool
) -> None:
    html = "<p>x{{#archive}}<a href='{{archive}}'>In the browser</a>{{/archive}}</p>"
    newsletter = send(public=False, html_content=html) if sent else make_newsletter(public=True)

    assert app.get(ARCHIVE).json == []
    assert app.get(f"{ARCHIVE}/{newsletter['id']}", status=404).json["error"]
    page = app.get(f"{ARCHIVE}/{newsletter['id']}/page", status=404)
    assert "This link is not valid any more" in page.text
    assert all("In the browser" not in m.get_body(["html"]).get_content() for m in mails())


def test_making_a_newsletter_public_needs_approval_and_withdrawing_it_does_not(
    app: Client, staff: Client, make_newsletter: Any, send: Any
) -> None:
    path = f"{STAFF}/{make_newsletter()['id']}"
    assert staff.get(path).json["approvalStatus"] == "approved"
    assert staff.put_json(path, {"public": True}).json["approvalStatus"] == "draft"

    newsletter = send()
    for _ in range(2):
        staff.post_json(f"{STAFF}/{newsletter['id']}/withdraw", {})
    app.get(f"{ARCHIVE}/{newsletter['id']}", status=404)
    app.get(f"{ARCHIVE}/{newsletter['id']}/page", status=404)
    assert staff.get(f"{STAFF}/{newsletter['id']}").json["public"] is False
    staff.post_json(f"{STAFF}/99/withdraw", {}, status=404)
