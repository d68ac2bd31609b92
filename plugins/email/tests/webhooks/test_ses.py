"""The webhook of Amazon SES, with a server in place of Amazon's that tests can trust."""

from __future__ import annotations

import base64
import json
import socket
import ssl
import threading
from collections.abc import Iterator, Mapping
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.hashes import SHA1, SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from sqlalchemy import select
from sqlalchemy.orm import Session

from masthead import utcnow
from masthead.testing import Client
from masthead_email.outbox.models import Delivery, Suppression
from masthead_email.webhooks import ses

HOST = "sns.eu-central-1.amazonaws.com"
TOPIC = "arn:aws:sns:eu-central-1:123456789012:masthead"
PATH = "/api/email/webhooks/ses"
KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
NAME = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, HOST)])
CERTIFICATE = (
    x509.CertificateBuilder()
    .subject_name(NAME)
    .issuer_name(NAME)
    .public_key(KEY.public_key())
    .serial_number(1)
    .not_valid_before(utcnow() - timedelta(days=1))
    .not_valid_after(utcnow() + timedelta(days=1))
    .add_extension(x509.SubjectAlternativeName([x509.DNSName(HOST)]), critical=False)
    .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
    .sign(KEY, SHA256())
    .public_bytes(Encoding.PEM)
)


@pytest.fixture
def settings() -> Mapping[str, str]:
    return {
        "masthead.email.from": "Our Club <news@example.org>",
        "masthead.email.bounces": "bounces@example.org",
        "masthead.email.webhook_ses": TOPIC,
    }


class Amazon:
    """A server for the name of Amazon SNS; it also records all connections of the process."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        """The paths that it was asked for."""
        self.hosts: list[str] = []
        """The hosts that were connected to."""


def _handler(found: Amazon) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found.asked.append(self.path)
            moved = self.path.startswith("/moved")
            self.send_response(302 if moved else 200)
            self.send_header("Location", "https://127.0.0.1/secret.pem")
            self.end_headers()
            self.wfile.write(CERTIFICATE)

        def log_message(self, *arguments: object) -> None:
            """Log nothing."""

    return Handler


@pytest.fixture
def amazon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Amazon]:
    """Run a server that has the certificate of SNS, and lead the host's connections to it."""
    found = Amazon()
    own = tmp_path / "own.pem"
    own.write_bytes(
        CERTIFICATE
        + KEY.private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption())
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(own)
    server = HTTPServer(("127.0.0.1", 0), _handler(found))
    server.socket = context.wrap_socket(server.socket, server_side=True)
    connect = socket.create_connection

    def create_connection(address: tuple[str, int], *arguments: Any, **named: Any) -> socket.socket:
        found.hosts.append(address[0])
        if address[0] != HOST:
            return connect(address, *arguments, **named)
        return connect(server.server_address[:2], *arguments, **named)

    monkeypatch.setattr(socket, "create_connection", create_connection)
    monkeypatch.setenv("SSL_CERT_FILE", str(own))
    ses._certificate.cache_clear()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield found
    server.shutdown()
    thread.join()
    server.server_close()
    ses._certificate.cache_clear()


def message(payload: Any, version: str = "2", **fields: str) -> dict[str, str]:
    """Return a signed message of SNS."""
    found = {
        "Type": "Notification",
        "MessageId": "22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324",
        "TopicArn": TOPIC,
        "Message": payload if isinstance(payload, str) else json.dumps(payload),
        "Timestamp": "2026-11-28T10:00:00.000Z",
        "SignatureVersion": version,
        "SigningCertURL": f"https://{HOST}/SimpleNotificationService-1.pem",
        **fields,
    }
    names = ("Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type")
    if found["Type"] != "Notification":
        names = ("Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type")
    text = "".join(f"{name}\n{found[name]}\n" for name in names if name in found)
    algorithm = SHA1() if version == "1" else SHA256()
    signature = KEY.sign(text.encode(), padding.PKCS1v15(), algorithm)
    return {"Signature": base64.b64encode(signature).decode(), **found}


def post(app: Client, body: Mapping[str, str], status: int = 200) -> None:
    app.post(PATH, json.dumps(body), {"Content-Type": "text/plain; charset=UTF-8"}, status=status)


def bounce(kind: str = "Permanent", subtype: str = "General", **recipient: str) -> dict[str, Any]:
    """Return a bounce of SES."""
    return {
        "notificationType": "Bounce",
        "bounce": {
            "bounceType": kind,
            "bounceSubType": subtype,
            "bouncedRecipients": [{"emailAddress": "ada@example.net", **recipient}],
        },
        "mail": {"source": "bounces+1-x@example.org", "messageId": "0100", "headers": []},
    }


@pytest.mark.parametrize(
    ("payload", "expected"),
    [
        (bounce(status="5.1.1", diagnosticCode="smtp; 550 5.1.1 user unknown"), "recipient-gone"),
        (bounce(subtype="NoEmail"), "recipient-gone"),
        (bounce(subtype="OnAccountSuppressionList"), "recipient-gone"),
        (bounce("Transient", "MailboxFull", diagnosticCode="smtp; 552 x"), "mailbox-full"),
        (bounce("Transient", diagnosticCode="smtp; 451 4.4.1 later"), "transient"),
        (bounce("Transient"), None),
        (bounce(diagnosticCode="smtp; 550 5.7.1 blocked by spamhaus"), "sender-refused"),
        (bounce("Undetermined", "Undetermined"), "unknown"),
        ({"eventType": "Complaint", "complaint": {}, "mail": {}}, "complaint"),
        (
            {"eventType": "Complaint", "complaint": {"complaintFeedbackType": "not-spam"}},
            None,
        ),
        ({"notificationType": "Delivery", "mail": {}}, None),
        ({"notificationType": "Bounce"}, None),
        ([], None),
        ("no JSON", None),
    ],
)
def test_an_event_has_its_class(payload: Any, expected: str | None) -> None:
    (body, found) = json.dumps(message(payload)).encode(), []
    found = [str(each.failure or each.kind) for each in ses.read_events(body)]
    if payload == {"notificationType": "Bounce"}:
        assert found == ["unknown"]
    else:
        assert found == ([expected] if expected else [])


@pytest.fixture
def return_path(
    relayed: Any, subscribe: Any, make_newsletter: Any, staff: Client, deliver: Any
) -> str:
    """Send a newsletter to a subscriber; return its return path."""
    subscribe("ada@example.net")
    staff.post_json(f"/api/staff/newsletters/{make_newsletter()['id']}/send", {})
    deliver()
    return str(relayed.taken[-1].sender.decode())


def test_a_signed_bounce_suppresses_the_address(
    amazon: Amazon, return_path: str, app: Client, session: Session
) -> None:
    payload = bounce(status="5.1.1", diagnosticCode="smtp; 550 5.1.1 user unknown")
    payload["mail"]["source"] = return_path
    for version in ("1", "2"):
        forged = message(payload, version) | {"Message": json.dumps(payload | {"x": 1})}
        post(app, forged, 403)
    newsletter = Delivery.subscriber_id.is_not(None)
    assert session.scalars(select(Delivery.state).where(newsletter)).one() == "sent"

    for version in ("1", "2"):
        post(app, message(payload, version, Subject="Amazon SES"))

    session.rollback()
    assert session.scalars(select(Delivery.failure).where(newsletter)).one() == "recipient-gone"
    assert session.scalars(select(Suppression.address)).all() == ["ada@example.net"]
    assert amazon.asked == ["/SimpleNotificationService-1.pem"]


def test_a_subscription_is_confirmed(amazon: Amazon, app: Client) -> None:
    confirmation = {
        "Type": "SubscriptionConfirmation",
        "Token": "t",
        "SubscribeURL": f"https://{HOST}/?Action=ConfirmSubscription&Token=t",
    }
    post(app, message("You have chosen to subscribe", **confirmation))
    assert amazon.asked[-1] == "/?Action=ConfirmSubscription&Token=t"


@pytest.mark.parametrize(
    "fields",
    [
        {"TopicArn": "arn:aws:sns:eu-central-1:999999999999:other"},
        {"SignatureVersion": "3"},
        {"Type": "Other"},
        {"SigningCertURL": f"http://{HOST}/a.pem"},
        {"SigningCertURL": f"https://{HOST}/a.txt"},
        {"SigningCertURL": f"https://{HOST}:8443/a.pem"},
        {"SigningCertURL": f"https://{HOST}@127.0.0.1/a.pem"},
        {"SigningCertURL": "https://127.0.0.1/a.pem"},
        {"SigningCertURL": "https://sns.eu-central-1.amazonaws.com.example.org/a.pem"},
        {"SigningCertURL": "https://bucket.s3.amazonaws.com/a.pem"},
        {"SigningCertURL": "https://[::1/a.pem"},
        {"SigningCertURL": ""},
    ],
)
def test_no_other_server_is_asked_for_a_certificate(
    fields: dict[str, str], amazon: Amazon, app: Client
) -> None:
    post(app, message({}) | fields, 403)
    assert amazon.hosts == []


def test_a_redirect_is_not_followed(amazon: Amazon, app: Client) -> None:
    post(app, message({}, SigningCertURL=f"https://{HOST}/moved.pem"), 403)
    assert amazon.hosts == [HOST]


def test_a_subscription_at_another_server_is_not_confirmed(amazon: Amazon, app: Client) -> None:
    confirmation = {"Type": "SubscriptionConfirmation", "Token": "t"}
    post(app, message("", SubscribeURL="https://127.0.0.1/", **confirmation))
    assert set(amazon.hosts) == {HOST}
    assert len(amazon.asked) == 1
