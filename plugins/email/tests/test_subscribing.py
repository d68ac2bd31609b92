"""Subscribing and unsubscribing: by form, by link, and by confirmation."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from email.message import EmailMessage
from typing import Any

import pytest

from masthead import Instance, Refused, hookimpl
from masthead.testing import Client, Clock

SUBSCRIBE, UNSUBSCRIBE = "/api/newsletter/subscribe", "/api/newsletter/unsubscribe"
STAFF = "/api/staff/newsletter-subscribers"
Mails = Callable[[], list[EmailMessage]]

VISITOR = {"REMOTE_ADDR": "192.0.2.7"}


def only_subscriber(staff: Client) -> Any:
    [subscriber] = staff.get(STAFF).json
    return subscriber


def test_a_new_subscriber_is_stored_in_lower_case_and_trimmed(app: Client, staff: Client) -> None:
    app.post_json(SUBSCRIBE, {"email": "  Ada@Example.ORG ", "name": " Ada ", "source": "footer"})

    subscriber = only_subscriber(staff)
    assert {k: v for k, v in subscriber.items() if k not in ("createdAt", "updatedAt")} == {
        "id": subscriber["id"],
        "email": "ada@example.org",
        "name": "Ada",
        "status": "subscribed",
        "source": "footer",
        "fields": None,
        "topics": None,
        "language": None,
        "pausedUntil": None,
        "engagedAt": None,
        "trackingRefused": False,
        "deliverable": True,
        "suppression": None,
        "subscribedAt": subscriber["createdAt"],
        "subscribedIp": None,
        "confirmedAt": None,
        "confirmedIp": None,
        "unsubscribedAt": None,
        "unsubscribeKind": None,
        "unsubscribeReason": None,
    }


def test_the_default_source_is_unknown(app: Client, staff: Client) -> None:
    app.post_json(SUBSCRIBE, {"email": "ada@example.org", "name": None, "source": ""})

    assert (only_subscriber(staff)["source"], only_subscriber(staff)["name"]) == ("unknown", None)


def test_known_and_unknown_addresses_get_the_same_response(app: Client, staff: Client) -> None:
    body = {"email": "ada@example.org"}

    first, again = (app.post_json(SUBSCRIBE, body).json for _ in range(2))
    left, left_again, never = (
        app.post_json(UNSUBSCRIBE, sent).json for sent in (body, body, {"email": "eve@example.org"})
    )

    assert first == again
    assert left == left_again == never
    assert first["success"] is True
    assert only_subscriber(staff)["status"] == "unsubscribed"
    assert only_subscriber(staff)["unsubscribedAt"]


def test_subscribing_again_keeps_the_existing_subscriber(app: Client, staff: Client) -> None:
    app.post_json(SUBSCRIBE, {"email": "ada@example.org", "name": "Ada", "source": "footer"})
    before = only_subscriber(staff)
    app.post_json(UNSUBSCRIBE, {"email": "ADA@example.org"})

    app.post_json(SUBSCRIBE, {"email": "Ada@example.org", "name": "Mallory", "source": "popup"})

    after = only_subscriber(staff)
    assert after["updatedAt"] >= before["updatedAt"]
    assert after["subscribedAt"] >= before["subscribedAt"]
    changed = {"updatedAt": "", "subscribedAt": ""}
    assert {**after, **changed} == {**before, **changed}


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"email": None},
        {"email": " "},
        {"email": 1},
        {"email": ["ada@example.org"]},
        {"email": "ada"},
        {"email": "ada@@example.org"},
        {"email": "ada@example.org\x00"},
        {"email": "a" * 65 + "@example.org"},
        {"email": f"ada@{'e' * 200}.org"},
        {"email": "ada@example.org", "name": "n" * 201},
        {"email": "ada@example.org", "source": "s" * 51},
        {"email": "ada@example.org", "name": "\ud800"},
        {"email": "ada@example.org", "website": "https://example.com"},
    ],
)
def test_an_invalid_subscription_is_refused_and_not_stored(
    app: Client, staff: Client, body: Any
) -> None:
    assert app.post_json(SUBSCRIBE, body, status=400).json["error"]
    assert staff.get(STAFF).json == []


@pytest.mark.parametrize("body", [{}, {"email": "ada"}, {"email": None}, {"email": 7}])
def test_unsubscribing_requires_an_address(app: Client, body: Any) -> None:
    assert "email" in app.post_json(UNSUBSCRIBE, body, status=400).json["error"]


def test_the_form_of_a_page_subscribes(app: Client, staff: Client) -> None:
    sent = {"email": "Ada@example.org", "name": "", "language": "de", "website": ""}

    assert app.post(SUBSCRIBE, sent).content_type == "text/html"

    subscriber = only_subscriber(staff)
    assert (subscriber["email"], subscriber["language"]) == ("ada@example.org", "de")
    assert app.post(SUBSCRIBE, {"email": "ada"}, status=400).content_type == "text/html"


def test_an_internationalised_address_can_subscribe(app: Client, staff: Client) -> None:
    app.post_json(SUBSCRIBE, {"email": "Jürgen@Bücher.example"})

    assert only_subscriber(staff)["email"] == "jürgen@bücher.example"


def test_a_plugin_can_refuse_a_subscription(app: Client, instance: Instance, staff: Client) -> None:
    class Guard:
        @hookimpl
        def masthead_check_submission(self, kind: str, data: Mapping[str, Any]) -> None:
            if kind == "newsletter-subscriptions" and data["email"].endswith("@spam.test"):
                raise Refused("No spam")

    instance.manager.register(Guard())

    answer = app.post_json(SUBSCRIBE, {"email": "a@spam.test"}, status=400)

    assert answer.json == {"error": "No spam"}
    assert staff.get(STAFF).json == []


def link_of(mail: EmailMessage) -> str:
    """Return the path of the unsubscribe link in the header."""
    [path] = re.findall(r"<http://127\.0\.0\.1:6543(/[^>]+)>", mail["List-Unsubscribe"])
    return str(path)


@pytest.fixture
def link(
    approver: Client,
    subscribe: Callable[..., None],
    make_newsletter: Callable[..., Any],
    mails: Mails,
) -> str:
    """The path of the unsubscribe link in a newsletter."""
    subscribe("ada@example.org")
    approver.post_json(f"/api/staff/newsletters/{make_newsletter()['id']}/send", {})
    [mail] = mails()
    return link_of(mail)


def test_the_page_behind_a_link_has_a_button_and_changes_nothing(
    app: Client, staff: Client, link: str
) -> None:
    page = app.get(link)

    assert page.content_type == "text/html"
    assert "ada@example.org" in page
    assert page.text.count("<button") == 1
    assert "style-src 'sha256-" in page.headers["Content-Security-Policy"]
    assert app.head(link).status_int == 200
    assert only_subscriber(staff)["status"] == "subscribed"


@pytest.mark.parametrize("body", [b"List-Unsubscribe=One-Click", b"", b"{", b"\xff" * 1000])
def test_a_post_with_any_body_unsubscribes(
    app: Client, staff: Client, link: str, body: bytes
) -> None:
    page = app.post(link, body)

    assert page.content_type == "text/html"
    assert "unsubscribed" in page
    assert only_subscriber(staff)["status"] == "unsubscribed"
    assert app.post(link).status_int == 200


def test_a_link_is_valid_as_long_as_the_subscriber_exists(
    app: Client, staff: Client, link: str
) -> None:
    assert app.get(link).status_int == 200

    staff.delete(f"{STAFF}/{only_subscriber(staff)['id']}")

    for page in (app.get(link, status=404), app.post(link, status=404)):
        assert page.content_type == "text/html"
        assert "This link is not valid any more" in page.text
        assert "<form" not in page.text
        assert "default-src 'none'" in page.headers["Content-Security-Policy"]


def test_a_forged_link_is_not_found(app: Client, staff: Client, link: str) -> None:
    base, _, token = link.rpartition("/")
    number, _, mac = token.partition("-")
    forged = [
        f"{int(number) + 1}-{mac}",
        f"0{number}-{mac}",
        f"{number}-{mac[:-4]}",
        f"{number}-{mac[::-1]}",
        f"{number}-",
        number,
        "-",
        "9" * 30 + f"-{mac}",
        "%C2%B2-" + mac,
    ]

    for each in forged:
        app.get(f"{base}/{each}", status=404)
        app.post(f"{base}/{each}", status=404)
    app.get(link.replace("unsubscribe", "confirm"), status=404)
    assert only_subscriber(staff)["status"] == "subscribed"


def test_no_link_is_valid_before_the_first_one_was_sent(app: Client) -> None:
    app.get(f"{UNSUBSCRIBE}/1-AAAA", status=404)
    app.post(f"{UNSUBSCRIBE}/1-AAAA", status=404)


class TestDoubleOptIn:
    """With ``masthead.email.confirm``, a subscriber confirms by the link in a mail."""

    @pytest.fixture
    def settings(self) -> Mapping[str, str]:
        return {"masthead.email.confirm": "true"}

    def confirmation(self, mails: Mails) -> str:
        text = mails()[-1].get_content()
        [path] = re.findall(r"http://127\.0\.0\.1:6543(/\S+)", text)
        return str(path)

    def test_a_new_subscriber_is_unsubscribed_until_they_confirm(
        self, app: Client, staff: Client, mails: Mails
    ) -> None:
        app.post_json(SUBSCRIBE, {"email": "ada@example.org"})
        assert only_subscriber(staff)["status"] == "unsubscribed"

        link = self.confirmation(mails)
        assert "Subscribe" in app.get(link)
        assert only_subscriber(staff)["status"] == "unsubscribed"

        assert "You are subscribed" in app.post(link)
        assert only_subscriber(staff)["status"] == "subscribed"
        assert only_subscriber(staff)["unsubscribedAt"] is None
        app.get(link.replace("confirm", "unsubscribe"), status=404)

    def test_an_address_gets_one_confirmation_request_in_a_quarter_of_an_hour(
        self, clock: Clock, app: Client, mails: Mails
    ) -> None:
        for _ in range(3):
            app.post_json(SUBSCRIBE, {"email": "ada@example.org"})
        assert len(mails()) == 1

        clock.shift(minutes=16)
        app.post_json(SUBSCRIBE, {"email": "ada@example.org"})

        assert len(mails()) == 2

    def test_a_subscribed_person_gets_no_confirmation_request(
        self, app: Client, staff: Client, mails: Mails
    ) -> None:
        staff.post_json(STAFF, {"email": "ada@example.org"})

        app.post_json(SUBSCRIBE, {"email": "ada@example.org"})

        assert mails() == []
        assert only_subscriber(staff)["status"] == "subscribed"

    def test_a_confirmation_is_stored_without_addresses(
        self, clock: Clock, app: Client, staff: Client, mails: Mails
    ) -> None:
        app.post_json(SUBSCRIBE, {"email": "ada@example.org"}, extra_environ=VISITOR)
        asked = only_subscriber(staff)
        clock.shift(minutes=5)

        app.post(self.confirmation(mails), extra_environ=VISITOR)
        confirmed = only_subscriber(staff)
        app.post_json(UNSUBSCRIBE, {"email": "ada@example.org"})
        left = only_subscriber(staff)

        assert (asked["unsubscribeKind"], asked["unsubscribedAt"]) == ("pending", None)
        assert asked["confirmedAt"] is None
        assert confirmed["subscribedAt"][:19] == asked["createdAt"][:19]
        assert confirmed["confirmedAt"] > confirmed["subscribedAt"]
        assert (confirmed["subscribedIp"], confirmed["confirmedIp"]) == (None, None)
        assert confirmed["unsubscribeKind"] is None
        assert (left["unsubscribeKind"], left["confirmedAt"]) == (
            "unsubscribed",
            confirmed["confirmedAt"],
        )

    def test_a_rename_does_not_end_a_pending_confirmation(self, app: Client, staff: Client) -> None:
        app.post_json(SUBSCRIBE, {"email": "ada@example.org"})
        path = f"{STAFF}/{only_subscriber(staff)['id']}"

        renamed = staff.put_json(path, {"name": "Ada", "status": "unsubscribed"}).json

        assert (renamed["unsubscribeKind"], renamed["unsubscribedAt"]) == ("pending", None)


class TestAddressesOfVisitors:
    """With ``masthead.email.consent_ip``, IP addresses are stored as a proof of consent."""

    @pytest.fixture
    def settings(self) -> Mapping[str, str]:
        return {"masthead.email.consent_ip": "true"}

    def test_the_address_that_subscribes_is_stored(self, app: Client, staff: Client) -> None:
        app.post_json(SUBSCRIBE, {"email": "ada@example.org"}, extra_environ=VISITOR)
        first = only_subscriber(staff)
        app.post_json(UNSUBSCRIBE, {"email": "ada@example.org"}, extra_environ=VISITOR)
        other = {"REMOTE_ADDR": "2001:db8::1"}
        app.post_json(SUBSCRIBE, {"email": "ada@example.org"}, extra_environ=other)
        again = only_subscriber(staff)

        assert first["subscribedIp"] == "192.0.2.7"
        assert again["subscribedIp"] == "2001:db8::1"
        assert again["subscribedAt"] > first["subscribedAt"]

    def test_staff_who_subscribe_a_person_again_prove_no_consent(
        self, app: Client, staff: Client
    ) -> None:
        app.post_json(SUBSCRIBE, {"email": "ada@example.org"}, extra_environ=VISITOR)
        app.post_json(UNSUBSCRIBE, {"email": "ada@example.org"})

        path = f"{STAFF}/{only_subscriber(staff)['id']}"
        back = staff.put_json(path, {"status": "subscribed"}).json

        assert (back["subscribedAt"], back["subscribedIp"]) == (None, None)
        assert (back["unsubscribedAt"], back["unsubscribeKind"]) == (None, None)


class TestAddressesOfDoubleOptIn:
    """Both addresses are stored, the first one only for the last request."""

    @pytest.fixture
    def settings(self) -> Mapping[str, str]:
        return {"masthead.email.consent_ip": "true", "masthead.email.confirm": "true"}

    @pytest.mark.parametrize(("minutes", "kept"), [(5, "192.0.2.7"), (20, None)])
    def test_the_addresses_belong_to_the_confirmed_request(
        self, clock: Clock, app: Client, staff: Client, mails: Mails, minutes: int, kept: str | None
    ) -> None:
        app.post_json(SUBSCRIBE, {"email": "ada@example.org"}, extra_environ=VISITOR)
        clock.shift(minutes=minutes)
        other = {"REMOTE_ADDR": "192.0.2.8"}
        app.post_json(SUBSCRIBE, {"email": "ada@example.org"}, extra_environ=other)

        [link] = re.findall(r"http://127\.0\.0\.1:6543(/\S+)", mails()[-1].get_content())
        app.post(link, extra_environ=other)

        confirmed = only_subscriber(staff)
        assert (confirmed["subscribedIp"], confirmed["confirmedIp"]) == (kept, "192.0.2.8")
