"""Live events under a server that can't keep connections open: a client asks again and again."""

from __future__ import annotations

from typing import Any

from masthead.testing import Client, Desk

EVENTS = "/api/staff/live-events"


def ask(client: Client, query: str = "", last: str = "") -> tuple[list[tuple[str, str]], str]:
    """Return the events with their data, and the id of the last one."""
    headers = {"Last-Event-ID": last} if last else {}
    answer = client.get(EVENTS + query, headers=headers)
    assert answer.content_type == "text/event-stream"
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["X-Accel-Buffering"] == "no"
    retry, *texts = answer.text.removesuffix("\n\n").split("\n\n")
    assert retry == "retry: 5000"
    events = [dict(line.split(": ", 1) for line in text.split("\n")) for text in texts]
    found = [(event["event"], event["data"]) for event in events]
    return found, events[-1]["id"] if events else last


def test_a_client_gets_the_present_state_and_then_the_changes(toys: Desk) -> None:
    admin = toys.as_role("admin")
    item = toys.create()["id"]
    query = f"?watch=toys:{item},toys:{item + 1}&types=memos"

    events, last = ask(admin.client, query)

    assert events == [
        ("notifications", '{"unread":0,"latest":null}'),
        ("changed", f'{{"contentType":"toys","id":{item},"etag":"1","approvalStatus":"draft"}}'),
        ("presence", f'{{"contentType":"toys","id":{item},"others":[]}}'),
        ("changed", f'{{"contentType":"toys","id":{item + 1},"etag":null,"approvalStatus":null}}'),
        ("changed", '{"contentType":"memos","id":null,"etag":null,"approvalStatus":null}'),
    ]
    assert ask(admin.client, query, last) == ([], last)
    assert ask(admin.client, f"{query}&lastEventId={last}")[0] == []
    toys.request(item)
    events, last = ask(admin.client, query, last)
    assert events[0][1].startswith('{"unread":1,"latest":')
    assert '"approvalStatus":"pending"' in events[1][1]
    toys.edit(item, title="Edited after the request")
    events, last = ask(admin.client, query, last)
    assert events[0][1] == '{"unread":0,"latest":null}'
    Desk(toys.client, "memos").create()
    assert ask(admin.client, query, last)[1] != last


def test_what_cannot_be_watched_is_refused(
    app: Client, toys: Desk, make_role: Any, make_user: Any
) -> None:
    for query in ("watch=toys", "watch=toys:0", "watch=plays:1", "watch=toys:1;2", "types=plays"):
        answer = toys.client.get(f"{EVENTS}?{query}", status=400).json
        assert answer["error"].startswith(query.partition("=")[0])
    many = ",".join(f"toys:{number}" for number in range(1, 102))
    assert "100" in toys.client.get(f"{EVENTS}?watch={many}", status=400).json["error"]
    make_role("reader", "toys.read")
    reader = app.as_user(make_user(role="reader"))
    assert ask(reader, "?types=toys")[0]
    reader.get(f"{EVENTS}?types=memos", status=403)
    reader.get(f"{EVENTS}?watch=memos:1", status=403)
    app.get(EVENTS, status=401)
