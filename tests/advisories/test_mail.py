"""Reports about mail: injected headers, recipients and commands, and templates that run code."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from email.message import EmailMessage
from email.utils import getaddresses
from typing import Any

import pytest

from masthead import Instance
from masthead.testing import Client

BREAKS = ["\r\n", "\n", "\r", "\u2028", "\x0b", "\x85", "=0D=0A", "%0d%0a", "\\r\\n"]
ADDRESS = "ada@example.org"
Mails = Callable[[], list[EmailMessage]]


def staff(app: Client, path: str, body: Any, status: int = 200) -> Any:
    return app.as_role("editor").post_json(f"/api/staff/{path}", body, status=status).json


def text_of(mail: EmailMessage, kind: str) -> str:
    """Return the HTML or the plain text of a mail."""
    part = mail.get_body((kind,))
    assert part is not None
    return str(part.get_content())


@pytest.mark.slow
def test_cve_2024_6923_a_subject_is_one_line(
    app: Client, mails: Mails, send_newsletter: Any, subscribe: Any
) -> None:
    """CVE-2024-6923 (CPython): a line end in a header was written as it was."""
    for end in BREAKS:
        subscribe(ADDRESS)
        subject = f"News{end}Bcc: eve@example.org{end}{end}<script>"
        body = {"title": "A", "subject": subject, "html_content": "<p>A</p>"}

        made = app.as_role("editor").post_json("/api/staff/newsletters", body, status="*")
        if made.status_int == 200:
            send_newsletter(subject=subject)
        for mail in mails():
            assert (mail["To"], mail["Bcc"], mail.defects) == (ADDRESS, None, [])


def test_cve_2021_23400_a_name_adds_no_recipient(
    mails: Mails, send_newsletter: Any, subscribe: Any
) -> None:
    """CVE-2021-23400 (nodemailer): a line end in a recipient added headers to the mail."""
    for number, end in enumerate(BREAKS):
        address = f"ada{number}@example.org"
        subscribe(address, name=f"Ada{end}Bcc: eve@example.org", status="*")
        subscribe(address)

    send_newsletter(subject="News for {{name}}")

    sent = mails()
    assert len(sent) == len(BREAKS)
    for mail in sent:
        [(_, address)] = getaddresses([mail["To"]])
        assert address.startswith("ada")
        assert (mail["Bcc"], mail.defects) == (None, [])


def test_cve_2025_1795_a_name_stays_a_name(
    mails: Mails, send_newsletter: Any, subscribe: Any
) -> None:
    """CVE-2025-1795, CVE-2023-27043 (CPython): a comma or bracket of a name became an address."""
    names = ["Ada, Eve <eve@b.org>", '"><eve@b.org>', "eve@b.org", "Ada (eve@b.org)", '\\"']
    for number, name in enumerate(names):
        subscribe(f"ada{number}@example.org", name=name)

    send_newsletter(subject="News for {{name}}")

    shown = {}
    for mail in mails():
        [address] = mail["To"].addresses
        shown[address.addr_spec] = address.display_name
    assert shown == {f"ada{number}@example.org": name for number, name in enumerate(names)}


def test_cve_2023_27043_odd_addresses_are_refused(subscribe: Any) -> None:
    """CVE-2023-27043 (CPython): parsers disagreed about the address in a text."""
    for address in [
        "ada@example.org, eve@example.org",
        "ada@example.org;eve@example.org",
        "<ada@example.org>eve@example.org",
        '"a@example.org x"@evil.example\n',
        "ada@example.org\r\nRCPT TO:<eve@example.org>",
        "ada@example.org\u2028eve@example.org",
        "ada@[127.0.0.1]",
        "@relay.example:ada@example.org",
        "ada%eve@example.org@example.org",
        "postmaster",
        "ada@localhost",
        "ada@-example.org",
        ".ada@example.org",
    ]:
        assert "email" in subscribe(address, status=400)["error"]


def test_cve_2023_51764_no_line_of_a_mail_ends_it(
    app: Client, instance: Instance, mails: Mails
) -> None:
    """CVE-2023-51764 (Postfix, "SMTP smuggling"): other line ends with a dot ended the mail."""
    text = "Hello\n.\nMAIL FROM:<eve@example.org>\r.\rRCPT TO:<bob@example.org>\r\n.\r\n"
    body = {"subject": "A", "html_content": f"<pre>{text}</pre>", "text_content": text}

    made = staff(app, "compose-emails", body | {"recipient_emails": [ADDRESS]})
    staff(app, f"compose-emails/{made['id']}/send", {})

    assert len(mails()) == 1
    [file] = (instance.data / "mail").glob("*.eml")
    sent = file.read_bytes()
    assert not {b"\r", b"\n"} & set(sent.replace(b"\r\n", b""))
    assert not any(line.startswith(b".") for line in sent.split(b"\r\n"))


def test_cwe_79_the_name_of_a_subscriber_is_text(
    mails: Mails, send_newsletter: Any, subscribe: Any
) -> None:
    """CWE-79: the name that a visitor had typed was markup in the letters of the organisation."""
    names = {
        "<img src=x onerror=alert(1)>": "&lt;img src=x onerror=alert(1)&gt;",
        "</p><a href='https://evil.example'>": "&lt;/p&gt;&lt;a href=&#x27;https://evil.example&#x27;&gt;",
        "{{unsubscribe}}": "{{unsubscribe}}",
        "&lt;script&gt;": "&amp;lt;script&amp;gt;",
    }
    for number, name in enumerate(names):
        subscribe(f"ada{number}@example.org", name=name)

    send_newsletter(html_content="<p>Hello {{name}}!</p>")

    texts = {text_of(mail, "html").split("<p>Hello ")[1].split("!</p>")[0] for mail in mails()}
    assert texts == set(names.values())


# The links of a mail are random, and a short number occurs in them by chance.
PRODUCT = str(987654 * 876543)
CODE = [
    "{{env `MASTHEAD_AUTH_SECRETS`}}",
    "{{ ''.__class__.__mro__ }}",
    "{{config}}",
    "{{987654*876543}}",
    "{% import os %}{{os.environ}}",
    "${987654*876543}",
    "#{987654*876543}",
    "<%= 987654*876543 %>",
    "{name.__class__}",
    "%(name)s",
    "{{name.__class__}}",
    "{{name|upper}}",
    "{{#with name}}{{constructor}}{{/with}}",
]


def test_cve_2025_49136_templates_run_no_code(
    app: Client, mails: Mails, send_newsletter: Any, subscribe: Any
) -> None:
    """CVE-2025-49136 (listmonk), CVE-2023-22621 (Strapi): templates of mails ran code."""
    subscribe(ADDRESS, name="Ada Lovelace")
    letter = {"title": "May", "subject": "May", "html_content": "<p>May</p>"}
    kept = []
    for each in CODE:
        body = letter | {"text_content": each}
        answer = app.as_role("admin").post_json("/api/staff/newsletters", body, status="*")
        if answer.status_int == 200:
            kept.append(each)
        else:
            assert "laceholder" in answer.json["error"]
    assert not any("{{" in each and each != "{{name|upper}}" for each in kept)
    code = " ".join(kept)

    send_newsletter(subject=code[:200], html_content=f"<p>{code}</p>", text_content=code)

    [mail] = mails()
    results = (PRODUCT, "environ(", "<class", "ADA LOVELACE", "SECRET=")
    for text in (mail["Subject"], text_of(mail, "html"), text_of(mail, "plain")):
        assert not any(result in text for result in results)


def test_cwe_601_no_address_in_a_letter_leads_over_the_server(
    app: Client, mails: Mails, send_newsletter: Any, subscribe: Any
) -> None:
    """CWE-601: links of letters led over a counter of clicks, which redirected to any address."""
    subscribe(ADDRESS)

    send_newsletter(html_content='<p><a href="https://example.org/a?b=1">a</a></p>')

    [mail] = mails()
    assert 'href="https://example.org/a?b=1"' in text_of(mail, "html")
    assert "<img" not in text_of(mail, "html")
    for path in ("/r?url=", "/click?u=", "/api/redirect?to=", "/api/newsletter/click?url="):
        app.get(f"{path}https://evil.example", status=404)


def test_cwe_359_no_recipient_sees_another(
    app: Client, mails: Mails, subscribe: Any, send_newsletter: Any
) -> None:
    """CWE-359: a letter to many showed all addresses to all recipients."""
    subscribe(ADDRESS)
    subscribe("bob@example.org")
    send_newsletter()
    both = {"recipient_emails": [ADDRESS, "bob@example.org"]}
    made = staff(app, "compose-emails", {"subject": "A", "html_content": "<p>A</p>", **both})
    staff(app, f"compose-emails/{made['id']}/send", {})

    for mail in mails():
        others = {ADDRESS, "bob@example.org"} - {mail["To"]}
        assert len(others) == 1
        assert others.pop() not in mail.as_string()


class Relay:
    """A relay that offers no encryption, as after an attack on the connection."""

    def __init__(self) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.listener.settimeout(5)
        self.said: list[bytes] = []
        self.thread = threading.Thread(target=self._serve)

    def _serve(self) -> None:
        try:
            client, _ = self.listener.accept()
        except TimeoutError:
            return
        with client, client.makefile("rwb") as stream:
            stream.write(b"220 relay\r\n")
            stream.flush()
            for line in stream:
                self.said.append(line.split()[0].upper())
                stream.write(b"221 Bye\r\n" if line[:4] == b"QUIT" else b"250 relay\r\n")
                stream.flush()


@pytest.fixture(scope="module")
def relay() -> Iterator[Relay]:
    found = Relay()
    yield found
    found.listener.close()


class TestOfARelayWithoutEncryption:
    """The transport of the instance is a relay that has to encrypt."""

    @pytest.fixture
    def settings(self, relay: Relay) -> Mapping[str, str]:
        port = relay.listener.getsockname()[1]
        transport = f"smtp://user:password@127.0.0.1:{port}?tls=starttls"
        return {"masthead.email.transport": transport, "masthead.email.timeout": "5"}

    def test_cve_2016_0772_nothing_is_sent_without_encryption(
        self, relay: Relay, app: Client, work: Callable[[], None]
    ) -> None:
        """CVE-2016-0772 (CPython): a relay without STARTTLS got mail and password in the clear."""
        body = {"subject": "A", "html_content": "<p>A</p>", "recipient_emails": [ADDRESS]}
        made = staff(app, "compose-emails", body)
        staff(app, f"compose-emails/{made['id']}/send", {})
        relay.thread.start()

        work()

        relay.thread.join(10)
        report = app.as_role("admin").get(f"/api/staff/compose-emails/{made['id']}/deliveries").json
        assert report["sent"] == 0
        assert relay.said
        assert not {b"AUTH", b"MAIL", b"RCPT", b"DATA"} & set(relay.said)
