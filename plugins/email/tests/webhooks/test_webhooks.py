"""Webhooks of e-mail delivery services, with payloads in the forms that they document."""

from __future__ import annotations

import base64
import hmac
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from sqlalchemy import select
from sqlalchemy.orm import Session

from masthead import Instance
from masthead.testing import Client
from masthead_email.outbox.models import Delivery, Suppression
from masthead_email.outbox.services import release
from masthead_email.subscribers.models import Subscriber
from masthead_email.webhooks.providers import PROVIDERS

GONE, FULL, SENDER, CONTENT = "recipient-gone", "mailbox-full", "sender-refused", "content-refused"
COMPLAINT, NOTHING, TRANSIENT = "complaint", "nothing", "transient"
USER = "masthead:a-long-password"
ADDRESS = "ada@example.net"
KEY = ec.generate_private_key(ec.SECP256R1())
PUBLIC_KEY = base64.b64encode(
    KEY.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
).decode()
SECRETS = {
    "mailgun": "key-1234567890",
    "postmark": USER,
    "sendgrid": PUBLIC_KEY,
    "mailjet": USER,
}


@dataclass(frozen=True)
class Sent:
    """A message that went out."""

    sender: str
    """Its return path."""
    tag: str
    """The part of the return path that names the delivery."""
    message_id: str
    header: str


@pytest.fixture
def settings() -> Mapping[str, str]:
    named = {f"masthead.email.webhook_{name}": secret for name, secret in SECRETS.items()}
    return {
        "masthead.email.from": "Our Club <news@example.org>",
        "masthead.email.bounces": "bounces@example.org",
        **named,
    }


@pytest.fixture
def sent(
    relayed: Any, subscribe: Any, make_newsletter: Any, staff: Client, deliver: Any
) -> Iterator[Sent]:
    """A newsletter that the relay has accepted for a subscriber."""
    subscribe(ADDRESS)
    staff.post_json(f"/api/staff/newsletters/{make_newsletter()['id']}/send", {})
    deliver()
    taken = relayed.taken[-1]
    header = taken.content.decode().partition("\r\n\r\n")[0]
    (message_id,) = (
        line.partition(": ")[2] for line in header.split("\r\n") if line.startswith("Message-ID")
    )
    sender = taken.sender.decode()
    return Sent(sender, sender.partition("+")[2].partition("@")[0], message_id, header)


def signed(provider: str, payload: Any, secret: str | None = None) -> tuple[bytes, dict[str, str]]:
    """Return body and headers of a request of a provider."""
    if provider == "mailgun":
        signature = hmac.new(
            (secret or SECRETS["mailgun"]).encode(), b"1700000000token", "sha256"
        ).hexdigest()
        given = {"timestamp": "1700000000", "token": "token", "signature": signature}
        payload = {"signature": given, "event-data": payload}
    body = json.dumps(payload).encode()
    if provider == "sendgrid":
        key = ec.generate_private_key(ec.SECP256R1()) if secret else KEY
        signature = base64.b64encode(key.sign(b"1700000000" + body, ec.ECDSA(SHA256()))).decode()
        return body, {
            "X-Twilio-Email-Event-Webhook-Signature": signature,
            "X-Twilio-Email-Event-Webhook-Timestamp": "1700000000",
        }
    if provider in ("postmark", "mailjet"):
        encoded = base64.b64encode((secret or SECRETS[provider]).encode()).decode()
        return body, {"Authorization": f"Basic {encoded}"}
    return body, {}


def mailgun(name: Mapping[str, str], **event: Any) -> Any:
    """Return event data of Mailgun."""
    return {
        "id": "x",
        "log-level": "error",
        "recipient": ADDRESS,
        "user-variables": {"masthead": name["tag"]} if "tag" in name else {},
        "message": {"headers": {"message-id": name.get("id", "").strip("<>"), "to": ADDRESS}},
        "envelope": {"sender": name.get("sender", "other@example.org"), "targets": ADDRESS},
        **event,
    }


def failed(**status: Any) -> dict[str, Any]:
    """Return the fields of a permanent failure of Mailgun."""
    return {
        "event": "failed",
        "severity": "permanent",
        "reason": "bounce",
        "delivery-status": {"attempt-no": 1, **status},
    }


def postmark(name: Mapping[str, str], record: str = "Bounce", **fields: Any) -> Any:
    """Return a payload of Postmark."""
    metadata = {"masthead": name.get("tag", "")}
    return {"RecordType": record, "ID": 42, "Email": ADDRESS, "Metadata": metadata, **fields}


def sendgrid(name: Mapping[str, str], event: str, **fields: Any) -> Any:
    """Return a payload of SendGrid."""
    names = {"masthead": name["tag"]} if "tag" in name else {"smtp-id": name.get("id", "")}
    return [
        {"event": "delivered", "email": "eve@example.net", "timestamp": 1},
        {"event": event, "email": ADDRESS, "sg_event_id": "x", "timestamp": 1, **names, **fields},
    ]


def mailjet(name: Mapping[str, str], event: str, **fields: Any) -> Any:
    """Return a payload of Mailjet."""
    ids = {"MessageID": 1, "CustomID": name.get("tag", ""), "Payload": ""}
    return {"event": event, "time": 1, "email": ADDRESS, **ids, **fields}


CASES: list[tuple[str, str, Callable[[Mapping[str, str]], Any]]] = [
    (
        "mailgun",
        GONE,
        lambda n: mailgun(n, **failed(code=550, message="5.1.1 No such user")),
    ),
    ("mailgun", FULL, lambda n: mailgun(n, **failed(code=552, message="5.2.2 mailbox full"))),
    (
        "mailgun",
        SENDER,
        lambda n: mailgun(n, **failed(code=550, message="5.7.1 blocked using spamhaus")),
    ),
    ("mailgun", GONE, lambda n: mailgun(n, **failed(code=605) | {"reason": "suppress-bounce"})),
    (
        "mailgun",
        COMPLAINT,
        lambda n: mailgun(n, **failed(code=607) | {"reason": "suppress-complaint"}),
    ),
    ("mailgun", COMPLAINT, lambda n: mailgun(n, event="complained")),
    ("mailgun", NOTHING, lambda n: mailgun(n, event="failed", severity="temporary")),
    ("mailgun", NOTHING, lambda n: mailgun(n, event="opened")),
    ("mailgun", NOTHING, lambda _: None),
    (
        "postmark",
        GONE,
        lambda n: postmark(n, Type="HardBounce", TypeCode=1, Details="550 5.1.1 unknown user"),
    ),
    ("postmark", GONE, lambda n: postmark(n, Type="HardBounce", Details="smtp;550 rejected")),
    ("postmark", TRANSIENT, lambda n: postmark(n, Type="SoftBounce", Details="try later")),
    ("postmark", SENDER, lambda n: postmark(n, Type="Blocked", Details="ISP block")),
    ("postmark", CONTENT, lambda n: postmark(n, Type="SpamNotification", Details="")),
    ("postmark", NOTHING, lambda n: postmark(n, Type="AutoResponder", Details="away")),
    ("postmark", NOTHING, lambda n: postmark(n, Type="Transient", Details="delayed")),
    ("postmark", COMPLAINT, lambda n: postmark(n, "SpamComplaint", Type="SpamComplaint")),
    ("postmark", NOTHING, lambda n: postmark(n, "Delivery")),
    (
        "sendgrid",
        GONE,
        lambda n: sendgrid(n, "bounce", type="bounce", status="5.1.1", reason="550 5.1.1 gone"),
    ),
    (
        "sendgrid",
        GONE,
        lambda n: sendgrid(
            n, "bounce", type="bounce", reason="", bounce_classification="Invalid Address"
        ),
    ),
    (
        "sendgrid",
        SENDER,
        lambda n: sendgrid(n, "bounce", type="blocked", reason="550 5.7.1 on a blocklist"),
    ),
    (
        "sendgrid",
        "unknown",
        lambda n: sendgrid(n, "bounce", type="blocked", status="5.1.1", reason="550 5.1.1 x"),
    ),
    ("sendgrid", GONE, lambda n: sendgrid(n, "dropped", reason="Bounced Address")),
    ("sendgrid", "policy", lambda n: sendgrid(n, "dropped", reason="Unsubscribed Address")),
    ("sendgrid", COMPLAINT, lambda n: sendgrid(n, "spamreport")),
    ("sendgrid", NOTHING, lambda n: sendgrid(n, "deferred", response="421 later")),
    (
        "mailjet",
        GONE,
        lambda n: mailjet(
            n, "bounce", hard_bounce=True, error_related_to="recipient", error="user unknown"
        ),
    ),
    (
        "mailjet",
        FULL,
        lambda n: [mailjet(n, "bounce", hard_bounce=False, error="quota exceeded", comment="")],
    ),
    (
        "mailjet",
        SENDER,
        lambda n: mailjet(n, "blocked", error="sender blocked", comment="reputation"),
    ),
    ("mailjet", "policy", lambda n: mailjet(n, "blocked", error="preblocked", comment="")),
    (
        "mailjet",
        "unknown",
        lambda n: mailjet(n, "bounce", hard_bounce=False, error="?", comment="user unknown"),
    ),
    ("mailjet", COMPLAINT, lambda n: mailjet(n, "spam", source="JMRPP")),
    ("mailjet", NOTHING, lambda n: mailjet(n, "sent")),
    ("mailjet", NOTHING, lambda _: [1, None, "x", {"event": ["bounce"]}]),
]


def effect(session: Session) -> str:
    """Return the effect on the delivery to Ada, checked against the other tables."""
    session.rollback()
    newsletter = Delivery.subscriber_id.is_not(None)
    delivery = session.scalars(select(Delivery).where(newsletter)).one()
    kinds = session.scalars(select(Suppression.kind)).all()
    status = session.scalars(select(Subscriber.status).where(Subscriber.email == ADDRESS)).one()
    found = COMPLAINT if delivery.complained_at else delivery.failure or NOTHING
    assert kinds == ([found] if found in (COMPLAINT, GONE) else [])
    assert status == ("unsubscribed" if found == COMPLAINT else "subscribed")
    assert (delivery.state == "failed") is (found not in (COMPLAINT, NOTHING))
    return found


@pytest.mark.parametrize(("provider", "expected", "payload"), CASES)
def test_an_event_has_its_class(provider: str, expected: str, payload: Any) -> None:
    body, _ = signed(provider, payload({"tag": "1-x"}))
    events = list(PROVIDERS[provider].read_events(body))
    assert [str(each.failure or each.kind) for each in events] == (
        [] if expected == NOTHING else [expected]
    )
    assert all("1-x" in each.names for each in events)


@pytest.mark.parametrize(
    ("provider", "expected"), [("mailgun", GONE), ("sendgrid", SENDER), ("mailjet", NOTHING)]
)
def test_an_event_has_its_effect(
    provider: str, expected: str, sent: Sent, app: Client, session: Session
) -> None:
    payload = next(each[2] for each in CASES if each[:2] == (provider, expected))
    body, headers = signed(provider, payload({"tag": sent.tag}))
    assert app.post(f"/api/email/webhooks/{provider}", body, headers).json == {"success": True}
    assert effect(session) == expected


@pytest.mark.parametrize(
    ("provider", "payload"),
    [
        ("mailgun", lambda n: mailgun({"sender": n.sender}, event="complained")),
        ("mailgun", lambda n: mailgun({"id": n.message_id}, event="complained")),
        ("sendgrid", lambda n: sendgrid({"id": n.message_id}, "spamreport")),
    ],
)
def test_return_path_and_message_id_name_a_delivery_too(
    provider: str, payload: Any, sent: Sent, app: Client, session: Session
) -> None:
    body, headers = signed(provider, payload(sent))
    app.post(f"/api/email/webhooks/{provider}", body, headers)
    assert effect(session) == COMPLAINT


def test_outgoing_mail_names_its_delivery_to_the_enabled_providers(sent: Sent) -> None:
    for field in (
        f'X-Mailgun-Variables: {{"masthead": "{sent.tag}"}}',
        f"X-PM-Metadata-masthead: {sent.tag}",
        f'X-SMTPAPI: {{"unique_args": {{"masthead": "{sent.tag}"}}}}',
        f"X-MJ-CustomID: {sent.tag}",
    ):
        assert field in sent.header.split("\r\n")


@pytest.mark.parametrize("provider", SECRETS)
def test_only_the_provider_can_report_a_complaint_and_only_once(
    provider: str, sent: Sent, app: Client, instance: Instance, session: Session
) -> None:
    path = f"/api/email/webhooks/{provider}"
    payload = next(each[2] for each in CASES if each[:2] == (provider, COMPLAINT))
    body, headers = signed(provider, payload({"tag": sent.tag}), secret="another:long-password")
    assert app.post(path, body, headers, status=403).json == {"error": "Forbidden"}
    app.post(path, body, status=403)
    app.post(path, body, dict.fromkeys(headers, "\xe9"), status=403)
    assert effect(session) == NOTHING

    body, headers = signed(provider, payload({"tag": sent.tag}))
    if provider == "sendgrid":
        app.post(path, body + b" ", headers, status=403)
    app.post(path, body, headers)
    assert effect(session) == COMPLAINT

    with instance.database.transaction() as writing:
        assert release(writing, Suppression.address == ADDRESS)
    app.post(path, body, headers)
    assert session.scalars(select(Suppression.address)).all() == []


@pytest.mark.usefixtures("sent")
def test_an_event_that_names_no_delivery_changes_nothing(app: Client, session: Session) -> None:
    for tag in ("", "1-0123456789abcdef", "x", "999999-0", "<a.1@b>", f"<{'0' * 24}.1@b>"):
        body, headers = signed("postmark", postmark({"tag": tag}, "SpamComplaint"))
        app.post("/api/email/webhooks/postmark", body, headers)
    assert effect(session) == NOTHING


@pytest.mark.parametrize("body", [b"", b"{", b"\xff", b"[" * 100_000])
def test_a_body_that_is_no_json_is_refused(body: bytes, app: Client) -> None:
    _, headers = signed("postmark", {})
    app.post("/api/email/webhooks/postmark", body, headers, status=400)


def test_a_body_that_is_too_large_is_refused(app: Client) -> None:
    _, headers = signed("postmark", {})
    app.post("/api/email/webhooks/postmark", b" " * (2 * 1024**2 + 1), headers, status=400)


@pytest.mark.parametrize("provider", ["ses", "other"])
def test_a_webhook_that_is_not_enabled_does_not_exist(provider: str, app: Client) -> None:
    app.post(f"/api/email/webhooks/{provider}", b"{}", status=404)
