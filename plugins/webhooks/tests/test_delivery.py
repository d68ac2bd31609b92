"""The calls: signed, repeated, given up and never to an address that isn't public."""

from __future__ import annotations

import json
import socket
import ssl
import subprocess
import threading
from collections.abc import Callable
from datetime import timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest
from standardwebhooks import Webhook as Verifier

from masthead import Instance
from masthead.testing import Client, Desk
from masthead.testing.clock import Clock
from masthead_webhooks.attempts import MOST_ATTEMPTS
from masthead_webhooks.delivery import claim, send_due
from masthead_webhooks.network import is_public
from masthead_webhooks.services import delete_old

pytestmark = pytest.mark.product

Make = Callable[..., Any]
STAFF = "/api/staff/webhooks"


@pytest.fixture
def call(staff: Client, send: Callable[[], None], log: Make) -> Make:
    """Sends a test to a webhook, and returns the delivery."""

    def run(webhook: Any) -> Any:
        staff.post_json(f"{STAFF}/{webhook['id']}/test", {})
        send()
        return log(webhook)[0]

    return run


def verify(secret: str, request: Any) -> Any:
    return Verifier(secret).verify(request.body, request.headers)


def test_calls_are_signed_and_logged(make_webhook: Make, server: Any, call: Make) -> None:
    webhook = make_webhook()
    server.reply(200, body="Thank\n you\x1b[0m ☃".encode())

    delivery = call(webhook)

    [request] = server.received
    assert verify(webhook["secret"], request)["type"] == "webhook.test"
    assert request.headers["webhook-id"] == delivery["messageId"]
    assert request.headers["host"] == f"127.0.0.1:{server.port}"
    assert request.headers["content-type"] == "application/json"
    assert (delivery["state"], delivery["attempts"], delivery["status"]) == ("delivered", 1, 200)
    assert delivery["response"] == "Thank you [0m ☃"
    assert delivery["duration"] is not None
    with pytest.raises(Exception, match="signature"):
        verify("whsec_" + "A" * 43 + "=", request)


def test_the_secret_is_shown_once_and_rotates_with_an_overlap(
    clock: Clock, staff: Client, make_webhook: Make, server: Any, call: Make
) -> None:
    webhook = make_webhook()
    path = f"{STAFF}/{webhook['id']}"
    old = webhook["secret"]
    assert staff.get(path).json["secret"] is None
    assert "secret" not in staff.get(STAFF).json[0]
    assert staff.put_json(path, {"description": "Mine"}).json["secret"] is None

    new = staff.post_json(f"{path}/secret", {}).json["secret"]
    call(webhook)
    [during] = server.received
    assert verify(old, during) == verify(new, during)

    clock.shift(hours=25)
    call(webhook)
    after = server.received[-1]
    assert verify(new, after)
    with pytest.raises(Exception, match="signature"):
        verify(old, after)
    assert old not in staff.get("/api/staff/audit-log").text


def test_failures_are_repeated_with_one_id_and_then_given_up(
    clock: Clock,
    staff: Client,
    make_webhook: Make,
    server: Any,
    call: Make,
    send: Callable[[], None],
    log: Make,
) -> None:
    webhook, began = make_webhook(), clock.now()
    server.replies = []
    for _ in range(MOST_ATTEMPTS):
        server.reply(500, body=b"Broken")

    delivery = call(webhook)
    while delivery["state"] == "waiting":
        clock.move_to(delivery["nextTryAt"])
        clock.shift(milliseconds=1)
        send()
        [delivery] = log(webhook)

    assert timedelta(hours=17) < clock.now() - began < timedelta(hours=29)
    assert len({each.headers["webhook-id"] for each in server.received}) == 1
    assert len({each.headers["webhook-timestamp"] for each in server.received}) == MOST_ATTEMPTS
    assert (delivery["state"], delivery["attempts"]) == ("failed", MOST_ATTEMPTS)
    assert delivery["error"] == "The answer was 500"
    told = staff.get("/api/staff/notifications").json
    assert [each["title"] for each in told] == ["A webhook doesn't answer"]
    assert "/hook" not in told[0]["message"]

    staff.post_json(f"{STAFF}/{webhook['id']}/deliveries/{delivery['id']}/replay", {})
    send()
    assert log(webhook)[0]["state"] == "delivered"
    assert server.received[-1].headers["webhook-id"] == delivery["messageId"]
    assert staff.get(f"{STAFF}/{webhook['id']}").json["failingSince"] is None


def test_a_webhook_that_fails_for_days_is_switched_off(
    clock: Clock, staff: Client, make_webhook: Make, server: Any, call: Make
) -> None:
    webhook = make_webhook()
    path = f"{STAFF}/{webhook['id']}"
    server.reply(503)
    server.reply(503)
    call(webhook)
    clock.shift(days=5)
    call(webhook)

    shown = staff.get(path).json
    assert (shown["active"], shown["switchedOff"]) == (False, "It has failed for 5 days")
    told = staff.get("/api/staff/notifications").json
    assert [each["title"] for each in told] == ["A webhook is switched off"]
    staff.post_json(f"{path}/test", {}, status=400)
    shown = staff.put_json(path, {"active": True}).json
    assert (shown["active"], shown["switchedOff"], shown["failingSince"]) == (True, None, None)


def test_a_webhook_that_is_gone_is_switched_off_at_once(
    staff: Client, make_webhook: Make, server: Any, call: Make
) -> None:
    webhook = make_webhook()
    server.reply(410)

    assert call(webhook)["state"] == "failed"
    assert not staff.get(f"{STAFF}/{webhook['id']}").json["active"]


def test_redirects_are_not_followed(make_webhook: Make, server: Any, call: Make) -> None:
    server.reply(307, headers={"Location": server.url})

    delivery = call(make_webhook())

    assert (delivery["state"], delivery["error"]) == ("waiting", "The answer was 307")
    assert len(server.received) == 1


def test_slow_and_huge_answers_are_cut_off(make_webhook: Make, server: Any, call: Make) -> None:
    server.reply(200, body=b"x" * 5_000_000)
    assert len(call(make_webhook())["response"]) <= 2_048
    # Each byte is in time, and the answer is not.
    server.reply(200, body=b"x" * 100, pause=0.3)
    delivery = call(make_webhook())
    assert (delivery["state"], delivery["status"]) == ("delivered", 200)
    assert 900 < delivery["duration"] < 10_000


def test_a_server_without_an_answer_fails(make_webhook: Make, call: Make) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        delivery = call(make_webhook(url=f"http://127.0.0.1:{port}/"))
    assert delivery["error"] == "There was no answer within 1 seconds"

    assert call(make_webhook(url=f"http://127.0.0.1:{port}/"))["error"] == "The connection failed"


def test_addresses_that_are_not_public_are_recognised() -> None:
    private = (
        "0.0.0.0 10.0.0.1 100.64.0.1 100.100.100.200 127.0.0.1 168.63.129.16 169.254.169.254"
        " 172.16.0.1 192.0.0.192 192.168.1.1 198.18.0.1 224.0.0.1 240.0.0.1 255.255.255.255"
        " :: ::1 ::127.0.0.1 ::ffff:10.0.0.1 64:ff9b::10.0.0.1 fc00::1 fd00:ec2::254 fe80::1"
        " fec0::1 ff02::1 2001:db8::1 2002:7f00:1::1 2001:0:4136:e378:8000:63bf:3fff:fdd2"
    )
    for text in private.split():
        assert not is_public(ip_address(text)), text
    for text in ("8.8.8.8", "2606:4700::1111", "64:ff9b::8.8.8.8"):
        assert is_public(ip_address(text)), text


def test_a_host_is_resolved_once_and_each_of_its_addresses_is_checked(
    monkeypatch: pytest.MonkeyPatch, make_server: Make, make_webhook: Make, call: Make
) -> None:
    good = make_server()
    trap = make_server("127.0.0.2", good.port)
    answers: list[list[str]] = []
    asked: list[str] = []
    genuine = socket.getaddrinfo

    def resolve(host: Any, port: Any, *rest: Any, **named: Any) -> Any:
        if host != "hook.example.org":
            return genuine(host, port, *rest, **named)
        asked.append(host)
        kind = (socket.AF_INET, socket.SOCK_STREAM, 6, "")
        return [(*kind, (address, port)) for address in answers.pop(0)]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    monkeypatch.setenv("http_proxy", trap.url)
    webhook = make_webhook(url=f"http://hook.example.org:{good.port}/")

    answers[:] = [["127.0.0.1"], ["127.0.0.2"]]
    assert call(webhook)["state"] == "delivered"
    assert len(asked) == 1
    assert good.received[0].headers["host"] == f"hook.example.org:{good.port}"
    for answer in (["127.0.0.2"], ["127.0.0.1", "127.0.0.2"], ["::ffff:127.0.0.2"]):
        answers[:] = [answer]
        delivery = call(webhook)
        assert delivery["error"] == "The host's address 127.0.0.2 isn't public"

    assert (len(good.received), trap.received) == (1, [])


def test_certificates_are_checked_against_the_name(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    make_server: Make,
    make_webhook: Make,
    call: Make,
) -> None:
    certificate = make_certificate(tmp_path, "hook.example.org")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, f"{certificate}.key")
    asked: list[str | None] = []
    context.sni_callback = lambda _socket, name, _context: asked.append(name)
    server = make_server(tls=context)
    here = (socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", server.port))
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: [here])

    url = f"https://hook.example.org:{server.port}/hook"
    assert call(make_webhook(url=url))["error"].startswith("TLS failed: ")
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    assert call(make_webhook(url=url))["state"] == "delivered"
    other = url.replace("hook.", "other.")
    assert call(make_webhook(url=other))["error"].startswith("TLS failed: ")

    assert asked == ["hook.example.org", "hook.example.org", "other.example.org"]
    assert len(server.received) == 1


def make_certificate(folder: Path, name: str) -> Path:
    """Create a self-signed certificate for a name, with its key beside it."""
    file = folder / "hook.pem"
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"),
            *("-nodes", "-days", "2", "-subj", "/CN=hook", "-keyout", f"{file}.key"),
            *("-addext", f"subjectAltName=DNS:{name}", "-out", str(file)),
        ],
        check=True,
        capture_output=True,
    )
    return file


def test_two_workers_call_nothing_twice(
    instance: Instance, staff: Client, make_webhook: Make, server: Any
) -> None:
    hooks = [make_webhook() for _ in range(4)]
    for _ in range(5):
        for each in hooks:
            staff.post_json(f"{STAFF}/{each['id']}/test", {})
    server.replies = []

    def run() -> None:
        while send_due(instance, lambda: True):
            pass

    workers = [threading.Thread(target=run) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    run()

    sent = [each.headers["webhook-id"] for each in server.received]
    assert len(sent) == len(set(sent)) == 20


def test_a_delivery_of_a_killed_worker_is_repeated_and_its_late_result_ignored(
    clock: Clock, instance: Instance, staff: Client, make_webhook: Make, send: Any, log: Make
) -> None:
    webhook = make_webhook()
    staff.post_json(f"{STAFF}/{webhook['id']}/test", {})
    with instance.database.transaction() as session:
        [_] = claim(session, 5)
        assert claim(session, 5) == []

    send()
    assert [each["state"] for each in log(webhook)] == ["sending"]
    clock.shift(minutes=5)
    send()

    assert [(each["state"], each["attempts"]) for each in log(webhook)] == [("delivered", 2)]


def test_old_deliveries_are_deleted(
    clock: Clock, instance: Instance, make_webhook: Make, call: Make, log: Make
) -> None:
    webhook = make_webhook()
    call(webhook)
    clock.shift(hours=1)
    call(webhook)
    with instance.database.transaction() as session:
        assert not delete_old(session)
        clock.shift(days=29, hours=23, minutes=30)
        assert not delete_old(session)
    clock.shift(days=-30)

    assert len(log(webhook)) == 1


def test_of_many_changes_only_the_last_is_called_where_that_is_enough(
    ships: Desk, make_webhook: Make, server: Any, send: Make, log: Make, staff: Client
) -> None:
    latest, each_one = make_webhook("*", latestOnly=True), make_webhook("content.*")
    ids = [ships.create_public(title=f"Ship {number}")["id"] for number in range(3)]
    waiting = log(latest, state="waiting")

    send()

    called = [each.json for each in server.received]
    about_content = [each["data"]["id"] for each in called if each["type"].startswith("content.")]
    assert sorted(about_content) == sorted([*ids, ids[-1]])
    superseded = log(latest, state="superseded")
    assert [json.loads(each["payload"])["data"]["id"] for each in superseded] == ids[1::-1]
    assert all(each["doneAt"] and each["attempts"] == 0 for each in superseded)
    assert len(log(latest, state="delivered")) == len(waiting) - 2
    assert len(log(each_one, state="delivered")) == len(ids)
    path = f"{STAFF}/{latest['id']}/deliveries/{superseded[0]['id']}/replay"
    staff.post_json(path, {})
    send()
    assert log(latest, state="superseded") == superseded[1:]
