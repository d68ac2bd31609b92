"""The endpoints of staff, their permissions, and exports."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from masthead import Instance
from masthead.testing import Client, schema_differences
from masthead_webhooks.models import Webhook

Make = Callable[..., Any]
STAFF = "/api/staff/webhooks"


@pytest.mark.parametrize(
    ("values", "error"),
    [
        ({"url": "/hook"}, "url: Must be an address such as https://example.org/hook"),
        ({"url": "mailto:ada@example.org"}, "url: Must be an http or https address, or a path"),
        ({"url": "https://user:secret@example.org/"}, "url: Must have no user"),
        ({"url": "ftp://example.org/"}, "url: "),
        ({"events": ["content.deleted"]}, "events: "),
        ({"contentTypes": ["tanks"]}, "contentTypes: There is no tanks"),
    ],
)
def test_wrong_values_are_refused(staff: Client, values: Any, error: str) -> None:
    body = {"url": "https://example.org/hook", "events": ["*"], **values}

    assert error in staff.post_json(STAFF, body, status=400).json["error"]


def test_the_migrations_create_the_tables_of_the_models(instance: Instance) -> None:
    assert schema_differences(instance.database, instance.plugins) == []


class TestByDefault:
    @pytest.fixture
    def settings(self) -> dict[str, str]:
        return {}

    def test_addresses_need_https_and_public_hosts(
        self, staff: Client, send: Callable[[], None], log: Make
    ) -> None:
        body = {"url": "http://example.org/", "events": ["*"]}
        refused = staff.post_json(STAFF, body, status=400).json["error"]
        assert refused == "url: Must begin with https"

        webhook = staff.post_json(STAFF, body | {"url": "https://127.0.0.1:1/"}).json
        staff.post_json(f"{STAFF}/{webhook['id']}/test", {})
        send()
        assert log(webhook)[0]["error"] == "The host's address 127.0.0.1 isn't public"


def test_reading_and_writing_need_their_permissions(
    app: Client, make_role: Make, make_webhook: Make, staff: Client
) -> None:
    webhook = make_webhook()
    path = f"{STAFF}/{webhook['id']}"
    delivery = staff.post_json(f"{path}/test", {}).json
    make_role("reader", "webhooks.read")
    make_role("other", "ships.read", "ships.write")
    reader, other = app.as_role("reader"), app.as_role("other")

    for address in (STAFF, path, f"{path}/deliveries"):
        reader.get(address)
        other.get(address, status=403)
        app.get(address, status=401)
    for operation in ("test", "secret", f"deliveries/{delivery['id']}/replay"):
        reader.post_json(f"{path}/{operation}", {}, status=403)
    # It waits, so that it can't be repeated; and it belongs to another webhook.
    staff.post_json(f"{path}/deliveries/{delivery['id']}/replay", {}, status=400)
    another = make_webhook()
    staff.post_json(f"{STAFF}/{another['id']}/deliveries/{delivery['id']}/replay", {}, status=404)
    staff.get(f"{STAFF}/0/deliveries", status=404)
    assert [each["id"] for each in staff.get(f"{path}/deliveries", {"state": "waiting"}).json] == [
        delivery["id"]
    ]
    assert staff.get(f"{path}/deliveries", {"state": "failed"}).json == []
    staff.delete(path)
    staff.get(f"{path}/deliveries", status=404)


def test_imported_webhooks_are_switched_off_and_have_new_secrets(
    instance: Instance, staff: Client, make_webhook: Make
) -> None:
    webhook = make_webhook()

    with instance.database.transaction() as session:
        [told] = [each for each in instance.hooks.masthead_imported(session=session) if each]

    assert told.startswith("Webhooks are switched off (1)")
    shown = staff.get(f"{STAFF}/{webhook['id']}").json
    assert not shown["active"]
    assert shown["switchedOff"] == "It was imported; the exported instance may still call it"


def test_hook_restored_switches_webhooks_off_and_keeps_their_secrets(
    instance: Instance, staff: Client, make_webhook: Make
) -> None:
    webhook = make_webhook()
    with instance.database.transaction() as session:
        secret = session.get_one(Webhook, webhook["id"]).secret
        told = [each for each in instance.hooks.masthead_restored(session=session) if each]

    assert "Webhooks are switched off (1); see docs/webhooks.md" in told
    # The tokens of staff have ended, too.
    staff.get(f"{STAFF}/{webhook['id']}", status=401)
    with instance.database.session(read_only=True) as session:
        restored = session.get_one(Webhook, webhook["id"])
    assert (restored.active, restored.secret) == (False, secret)
    assert restored.switched_off == "It was restored from a backup; it may have been called since"
