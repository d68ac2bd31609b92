"""Reports about sign-ups for newsletters: bombing, enumeration, forged links, eager scanners."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from email.message import EmailMessage
from typing import Any

import pytest

from masthead.testing import Client

ADDRESS = "ada@example.org"
SUBSCRIBERS = "/api/staff/newsletter-subscribers"
Mails = Callable[[], list[EmailMessage]]


def status_of(app: Client, address: str = ADDRESS) -> Any:
    """Return the status of a subscriber."""
    found = {s["email"]: s["status"] for s in app.as_role("admin").get(SUBSCRIBERS).json}
    return found.get(address)


@pytest.fixture
def link(mails: Mails, subscribe: Any, send_newsletter: Any) -> str:
    """Return the path by which the only subscriber unsubscribes."""
    subscribe(ADDRESS, name="Ada")
    send_newsletter()
    [mail] = mails()
    found = re.fullmatch("<http://127.0.0.1:6543(.*)>", mail["List-Unsubscribe"])
    assert found is not None
    return found[1]


def test_mailpoet_6183_following_the_link_changes_nothing(app: Client, link: str) -> None:
    """MailPoet pull request 6183, mailkick issue 84: scanners of mail unsubscribed everybody."""
    for _ in range(3):
        app.get(link)
        app.head(link)
        app.options(link)

    assert status_of(app) == "subscribed"


@pytest.mark.parametrize("body", [b"", b"List-Unsubscribe=One-Click", b"{}", b"\xff"])
def test_rfc_8058_one_request_unsubscribes(
    app: Client, mails: Mails, link: str, body: bytes
) -> None:
    """RFC 8058, section 3.1: a mail program sends one POST, without cookies or a login."""
    [mail] = mails()
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"

    app.post(link, body, {"Content-Type": "application/x-www-form-urlencoded"})

    assert status_of(app) == "unsubscribed"


def test_cwe_639_a_link_unsubscribes_its_recipient_only(
    app: Client, link: str, subscribe: Any
) -> None:
    """CWE-639: the number in the link was all that was needed to unsubscribe others."""
    subscribe("bob@example.org")
    start, _, token = link.rpartition("/")
    number, _, mac = token.partition("-")

    forged = [f"{int(number) + 1}-{mac}", number, f"{number}-", f"-{mac}", f"{number}-{mac[:-1]}"]
    forged += [f"0{token}", f"{number}-{'A' * 24}", "1", "%00", token.swapcase()]
    for each in forged:
        app.post(f"{start}/{each}", b"", status=404)

    assert status_of(app) == "subscribed"
    assert status_of(app, "bob@example.org") == "subscribed"


def test_cwe_345_a_link_to_unsubscribe_subscribes_nobody(app: Client, link: str) -> None:
    """CWE-345: the signature of one link was valid for another purpose."""
    app.post(link, b"")

    app.post(link.replace("/unsubscribe/", "/confirm/"), b"", status=404)

    assert status_of(app) == "unsubscribed"


def test_cwe_204_the_form_does_not_tell_who_is_subscribed(app: Client, subscribe: Any) -> None:
    """CWE-204: the answer of the form told whether somebody reads the newsletter."""
    first, again = subscribe(ADDRESS), subscribe(ADDRESS)
    leave = "/api/newsletter/unsubscribe"

    assert first == again
    known, unknown = (app.post_json(leave, {"email": a}).json for a in (ADDRESS, "bob@b.org"))
    assert known == unknown


def test_cwe_200_the_page_of_a_link_is_neither_kept_nor_framed(app: Client, link: str) -> None:
    """CWE-200: a page with an address was cached, indexed, framed, or named in a Referer."""
    answer = app.get(link)

    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["X-Robots-Tag"] == "noindex"
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]
    assert "script" not in answer.text


class TestOfDoubleOptIn:
    """A new subscriber has to confirm by a mailed link."""

    @pytest.fixture
    def settings(self) -> Mapping[str, str]:
        return {"masthead.email.confirm": "true"}

    def test_listmonk_3229_one_address_gets_one_request(self, mails: Mails, subscribe: Any) -> None:
        """listmonk issue 3229: repeated sign-ups flooded the mailbox of somebody else."""
        for spelling in (ADDRESS, ADDRESS.upper(), f" {ADDRESS} ") * 5:
            subscribe(spelling, name="x" * 200)

        assert len(mails()) == 1

    def test_cwe_799_a_request_has_no_text_of_its_sender(
        self, mails: Mails, subscribe: Any
    ) -> None:
        """CWE-799: spammers put their message into the name of the person that they signed up."""
        subscribe(ADDRESS, name="Buy at https://evil.example", source="evil.example")

        [mail] = mails()
        assert "evil.example" not in mail.get_content()
        assert "evil.example" not in str(mail["Subject"])

    def test_cwe_862_nobody_is_subscribed_before_the_confirmation(
        self, app: Client, mails: Mails, subscribe: Any, send_newsletter: Any
    ) -> None:
        """CWE-862: a person that somebody else had signed up got the newsletter at once."""
        subscribe(ADDRESS)
        path = re.search(r"http://127\.0\.0\.1:6543(/\S+)", mails()[0].get_content())
        assert path is not None

        app.get(path[1])
        send_newsletter()
        assert len(mails()) == 1
        app.post(path[1], b"")
        assert status_of(app) == "subscribed"


def test_cwe_804_programs_that_fill_in_every_field_are_refused(app: Client) -> None:
    """CWE-804: programs filled in every field of the public forms."""
    forms = {
        "/api/newsletter/subscribe": {"email": ADDRESS},
        "/api/contact": {"name": "A", "email": ADDRESS, "subject": "B", "message": "C"},
        "/api/ycs/submit-action": {
            "title": "A",
            "description": "B",
            "contactName": "C",
            "contactEmail": ADDRESS,
        },
    }
    for path, body in forms.items():
        app.post_json(path, {**body, "website": "https://evil.example"}, status=400)
    assert status_of(app) is None
