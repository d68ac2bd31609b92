"""Changes of public answers purge their keys from the caches, soon after the commit."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import insert, select, update

from masthead import Instance, utcnow
from masthead.testing import Client, Desk
from masthead_cdn.models import CacheState, Purge
from masthead_cdn.sender import send_due
from plugins.cdn.tests.conftest import CloudflareApi, FastlyApi, eventually

pytestmark = [pytest.mark.usefixtures("_quiet"), pytest.mark.product]
Waiting = Callable[[], list[tuple[str, str]]]


@pytest.mark.usefixtures("_working")
def test_a_published_item_purges_its_type_and_itself(
    ships: Desk, fastly: FastlyApi, cloudflare: CloudflareApi, waiting: Waiting
) -> None:
    item = ships.create_public(title="Ark")

    expected = {"ships", f"ships-{item['id']}"}
    eventually(lambda: expected <= fastly.keys and expected <= cloudflare.keys)
    assert not {"boats", "all"} & (fastly.keys | cloudflare.keys)
    eventually(lambda: not waiting())


def test_a_thread_of_the_server_sends_purges_after_the_commit(
    ships: Desk, fastly: FastlyApi, waiting: Waiting
) -> None:
    thread = threading.Thread(target=lambda: ships.create_public(title="Ark"))
    thread.start()
    thread.join()

    eventually(lambda: "ships" in fastly.keys and not waiting())


def test_a_draft_purges_nothing(ships: Desk, fastly: FastlyApi, waiting: Waiting) -> None:
    item = ships.create(title="Ark")
    ships.edit(item["id"], title="Raft")
    ships.delete(item["id"])

    assert waiting() == []
    assert fastly.received == []


@pytest.mark.usefixtures("_working")
def test_a_rollback_purges_nothing(ships: Desk, waiting: Waiting) -> None:
    item = ships.create_public(title="Ark")
    eventually(lambda: not waiting())

    ships.edit(item["id"], title="", status=400)

    assert waiting() == []


def put(instance: Instance, *rows: dict[str, Any]) -> None:
    """Store purges without waking the thread, as a process that was killed."""
    now = utcnow()
    default = {"cache": "fastly", "created_at": now, "due_at": now}
    with instance.database.engine.begin() as connection:
        connection.execute(insert(Purge), [default | row for row in rows])


def test_a_burst_becomes_one_purge(instance: Instance, fastly: FastlyApi) -> None:
    put(instance, *({"keys": f"ships ships-{n % 50}"} for n in range(1_000)))

    assert send_due(instance, lambda: True) is False

    assert len(fastly.received) == 1
    assert fastly.keys == {"ships", *(f"ships-{n}" for n in range(50))}


def test_many_keys_are_sent_within_the_limits_of_each_api(
    instance: Instance, fastly: FastlyApi, cloudflare: CloudflareApi, waiting: Waiting
) -> None:
    keys = " ".join(f"ships-{n}" for n in range(300))
    put(instance, {"keys": keys}, {"keys": keys, "cache": "cloudflare"})

    send_due(instance, lambda: True)

    assert [len(each) for each in fastly.purged] == [256, 44]
    assert [len(each) for each in cloudflare.purged] == [30] * 10
    assert waiting() == []


def later(instance: Instance) -> None:
    """Let the time pass after which a failed purge is repeated."""
    with instance.database.engine.begin() as connection:
        connection.execute(update(CacheState).values(lease_until=utcnow()))


def state(instance: Instance, cache: str = "fastly") -> Any:
    with instance.database.read() as connection:
        found = select(CacheState.__table__).where(CacheState.name == cache)
        return connection.execute(found).one()


@pytest.mark.parametrize(
    ("reply", "error"),
    [
        ({"status": 503, "body": b"<h1>Down\x00</h1>"}, "it answers 503: <h1>Down </h1>"),
        ({"status": 302, "headers": {"Location": "http://127.0.0.1:1/"}}, "it answers 302: "),
        ({"status": 200, "pause": 2}, "there was no answer within 1 seconds"),
        ({"status": 200, "body": b"x" * 99, "pause": 0.3}, "there was no answer within 1 seconds"),
    ],
)
def test_a_failure_is_repeated_and_loses_nothing(
    instance: Instance,
    fastly: FastlyApi,
    waiting: Waiting,
    reply: dict[str, Any],
    error: str,
) -> None:
    put(instance, {"keys": "ships"})
    fastly.reply(**reply)

    send_due(instance, lambda: True)
    send_due(instance, lambda: True)

    assert len(fastly.received) == 1
    assert waiting() == [("fastly", "ships")]
    assert (state(instance).error, state(instance).failures) == (error, 1)
    later(instance)
    send_due(instance, lambda: True)
    assert fastly.purged == [["ships"]]
    assert (state(instance).error, state(instance).failures, waiting()) == (None, 0, [])


@pytest.mark.parametrize("body", [b"", b"garbage", b"[]", b'{"success": false}', b"\xff" * 70_000])
def test_an_answer_that_does_not_confirm_is_a_failure(
    instance: Instance, cloudflare: CloudflareApi, waiting: Waiting, body: bytes
) -> None:
    put(instance, {"keys": "ships", "cache": "cloudflare"})
    cloudflare.reply(200, body=body)

    send_due(instance, lambda: True)

    assert waiting() == [("cloudflare", "ships")]
    assert "not that it has succeeded" in state(instance, "cloudflare").error


def test_a_rate_limit_is_obeyed(instance: Instance, fastly: FastlyApi) -> None:
    put(instance, {"keys": "ships"})
    fastly.reply(429, headers={"Retry-After": "120"})

    send_due(instance, lambda: True)

    wait = state(instance).lease_until - utcnow()
    assert timedelta(seconds=100) < wait <= timedelta(seconds=120)


@pytest.mark.usefixtures("_working")
def test_one_cache_that_fails_does_not_delay_another(
    ships: Desk, fastly: FastlyApi, cloudflare: CloudflareApi, waiting: Waiting
) -> None:
    for _ in range(9):
        fastly.reply(500)

    ships.create_public(title="Ark")

    eventually(lambda: "ships" in cloudflare.keys)
    eventually(lambda: {cache for cache, _ in waiting()} == {"fastly"})


def test_a_day_of_failures_becomes_a_purge_of_all_answers(
    instance: Instance, fastly: FastlyApi, waiting: Waiting
) -> None:
    put(
        instance, {"keys": "ships", "created_at": utcnow() - timedelta(hours=25)}, {"keys": "boats"}
    )

    send_due(instance, lambda: True)

    assert fastly.purged == [["all"]]
    assert waiting() == []


@pytest.mark.usefixtures("_working")
def test_a_purge_is_repeated_because_an_older_answer_may_arrive_late(
    instance: Instance, ships: Desk, fastly: FastlyApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(instance.settings._values, "masthead.cdn.repeat_after", 1)

    item = ships.create_public(title="Ark")

    key = f"ships-{item['id']}"
    eventually(lambda: sum(key in each for each in fastly.purged) == 2)


def test_the_worker_sends_what_a_killed_process_has_left(
    instance: Instance, fastly: FastlyApi, work: Callable[..., None], waiting: Waiting
) -> None:
    put(instance, {"keys": "ships"})

    work("cdn.purge")

    assert fastly.keys == {"ships"}
    assert waiting() == []


def test_two_processes_do_not_purge_a_cache_at_the_same_time(
    instance: Instance, fastly: FastlyApi
) -> None:
    put(instance, {"keys": "ships"})
    with instance.database.engine.begin() as connection:
        until = utcnow() + timedelta(seconds=50)
        connection.execute(
            insert(CacheState), [{"name": "fastly", "lease_until": until, "failures": 0}]
        )

    assert send_due(instance, lambda: True) is False

    assert fastly.received == []


def test_without_a_cache_nothing_is_stored(
    instance: Instance, ships: Desk, waiting: Waiting, monkeypatch: pytest.MonkeyPatch
) -> None:
    from masthead_cdn import caches

    monkeypatch.setitem(instance._shared, caches._caches, [])

    ships.create_public(title="Ark")

    assert waiting() == []


def test_the_status_names_the_cache_that_fails(
    instance: Instance, app: Client, fastly: FastlyApi
) -> None:
    put(instance, {"keys": "ships"})
    fastly.reply(401, body=b"no")

    send_due(instance, lambda: True)

    trouble = app.as_role("admin").get("/status").json["checks"]["cdn.purges"]
    assert trouble.startswith("fastly fails since ")
    assert trouble.endswith(": it answers 401: no")


def test_a_cache_that_finds_no_keys_in_answers_is_named(
    instance: Instance, app: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def trouble() -> str:
        shown: str = app.as_role("admin").get("/status").json["checks"]["cdn.keys"]
        return shown

    assert trouble().count("masthead.cache.key_headers lacks") == 2
    sent = ["surrogate-key"]
    monkeypatch.setitem(instance.settings._values, "masthead.cache.key_headers", sent)
    lacks = "cloudflare finds keys in Cache-Tag only, which masthead.cache.key_headers lacks"
    assert trouble() == lacks
    sent.append("Cache-Tag")
    assert trouble() == "ok"
