"""The reference deployment with its real programs: ordinary work, then a fault of each part.

The numbers of a nightly run are those of docs/development.md.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from tests.deployment.client import Client
from tests.deployment.cluster import Cluster, missing_programs, running_cluster
from tests.deployment.faults import READS, WRITES, Effect, all_faults, suffer, table
from tests.deployment.letters import Letter
from tests.deployment.visitors import Visitors

pytestmark = pytest.mark.slow

CONTACTS = int(os.environ.get("MASTHEAD_TEST_IMPORTED", "2000"))
RECIPIENTS = int(os.environ.get("MASTHEAD_TEST_RECIPIENTS", "300"))
AT_LENGTH = "MASTHEAD_TEST_OUTAGE" in os.environ
SECONDS = float(os.environ.get("MASTHEAD_TEST_OUTAGE", "2"))
"""The duration of each fault."""
FEW = ("one server", "PgBouncer")
"""The faults of each run; nightly runs have all of them."""
BACK = 5.0
"""The seconds after which everything has to work again, from the return of the part. It is a
requirement of the deployment, in which no part waits longer before it tries another one again."""
# A connection can lose the reply to one message when it breaks. Each of two workers has four.
CONNECTIONS = 8


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    missing = missing_programs()
    if missing:
        pytest.skip(f"needs {', '.join(missing)}")
    # The newsletter is to be on its way during most faults, each of which takes time to repair.
    duration = SECONDS * (30 if AT_LENGTH else 12)
    # A message waits for two replies.
    latency = CONNECTIONS * duration / RECIPIENTS / 2
    with running_cluster(latency) as started:
        yield started


@pytest.fixture(scope="module")
def staff(cluster: Cluster) -> Client:
    return Client(cluster.url, cluster.log_in())


def publish(client: Client, title: str) -> None:
    item = client.ask("POST", "/api/staff/news", {"title": title}).json
    for move in ("request", "approve"):
        body = {"contentType": "news", "contentId": item["id"]}
        assert client.ask("POST", f"/api/staff/approval/{move}", body).status == 200


def test_a_machine_shows_what_another_one_publishes(cluster: Cluster) -> None:
    strict, relaxed = (Client(app.url, cluster.log_in()) for app in cluster.apps)
    assert [each.ask("GET", "/api/news").json for each in (strict, relaxed)] == [[], []]

    for number in range(5):
        publish(relaxed, f"Published {number}")
        assert strict.ask("GET", "/api/news").json[0]["title"] == f"Published {number}"
    publish(strict, "The last one")
    end = time.monotonic() + 20
    while relaxed.ask("GET", "/api/news").json[0]["title"] != "The last one":
        assert time.monotonic() < end


def test_a_large_file_of_contacts_is_imported_once(staff: Client) -> None:
    lines = [f"Imported {number},c{number}@example.org" for number in range(CONTACTS)]
    content = "\n".join(["name,email", *lines]).encode()

    answer = staff.upload("/api/staff/contacts/bulk-import", "contacts.csv", content, 1200)

    assert (answer.status, answer.json["imported"]) == (200, CONTACTS), answer.body


def test_a_backup_leaves_the_connections_of_the_pooler_as_they_were(
    cluster: Cluster, staff: Client, tmp_path: Path
) -> None:
    made = tmp_path / "backup.zip"

    cluster.apps[0].run("backup", str(made))

    with ZipFile(made) as archive:
        assert "database.dump" in archive.namelist()
    reads = [staff.ask("GET", f"/api/staff/news?limit={n}").status for n in range(1, 41)]
    assert set(reads) == {200}


def test_faults_lose_nothing_and_repeat_nothing(
    cluster: Cluster, staff: Client, capsys: pytest.CaptureFixture[str]
) -> None:
    letter = Letter(staff, RECIPIENTS)
    letter.send()
    visitors = Visitors(cluster.url, cluster.log_in())
    faults = [each for each in all_faults(cluster) if AT_LENGTH or each.name in FEW]
    with visitors.at_work():
        effects = [suffer(cluster, visitors, fault, SECONDS) for fault in faults]
    letter.wait_until_sent()
    twice = sum(cluster.mails()[each].total() - 1 for each in letter.recipients)
    mails = f"{twice} of {RECIPIENTS:,} recipients got the newsletter twice."
    with capsys.disabled():
        print("", *table(effects, cluster.mail_times()), "", mails, sep="\n")  # noqa: T201 (a nightly run keeps it)

    check_answers(effects)
    check_stored(staff, visitors)
    check_mails(cluster, letter)
    # One message of each connection when a worker, the relay or the database is lost.
    assert twice <= 5 * CONNECTIONS
    check_monitor(cluster)
    # All programs share a machine, and beside other tests even the proxy can be too slow.
    if AT_LENGTH:
        check_availability(effects, cluster.mail_times())
        check_return(cluster, staff)


def check_answers(effects: list[Effect]) -> None:
    """Check that each answer is a success or asks to try again, and that outages are logged."""
    # The proxy itself answers 502 to a write whose server ends, and 503.
    for effect in effects:
        if effect.fault != "the proxy":
            assert set(effect.statuses(*READS)) <= {200, 503}, effect.fault
            assert set(effect.statuses(*WRITES)) <= {200, 502, 503}, effect.fault
    (pooler,) = (each for each in effects if each.fault == "PgBouncer")
    for message in ("The database can't be reached", "The database answers again after"):
        assert [each for each in pooler.said if message in each], pooler.said


def check_availability(effects: list[Effect], mail_times: list[float]) -> None:
    """Check that a part with a substitute isn't missed, and that others are back in time."""
    by_name = {each.fault: each for each in effects}
    for name in ("one server", "one worker", "the relay", "the replica"):
        assert set(by_name[name].statuses(*READS)) == {200}, name
    for name in ("the storage", "the storage hangs"):
        assert set(by_name[name].statuses("cached", "uncached", "news", "contact")) == {200}, name
    late = {each.fault: each.back for each in effects if each.back > BACK}
    assert late == {}
    gaps = {each.fault: each.mail_back(mail_times) for each in effects}
    assert {fault: gap for fault, gap in gaps.items() if gap is not None and gap > BACK} == {}
    assert gaps["the relay"] is not None
    assert gaps["one worker"] is not None


def check_stored(staff: Client, visitors: Visitors) -> None:
    """Check that each acknowledged write is there, and none of them twice."""
    for path, field, acknowledged in (
        ("/api/staff/news", "title", visitors.stored.news),
        ("/api/staff/contacts", "name", visitors.stored.contacts),
    ):
        kept = Counter(item[field] for item in everything(staff, path))
        assert set(acknowledged) <= set(kept)
        assert [name for name in kept if kept[name] > 1] == []
    for url, content in visitors.stored.images.items():
        assert staff.ask("GET", url).body == content


def everything(staff: Client, path: str) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = []
    while page := staff.ask("GET", f"{path}?limit=1000&offset={len(items)}").json:
        items += page
    return items


def check_mails(cluster: Cluster, letter: Letter) -> None:
    """Check that each recipient got the message, also a second time with the same id."""
    mails = cluster.mails()
    assert letter.recipients <= set(mails)
    assert all(len(mails[each]) == 1 for each in letter.recipients)


def check_monitor(cluster: Cluster) -> None:
    for query in (
        "count(up == 1) == 5",
        'count(masthead_processes{role="server"} == 2) == 2',
        'count(masthead_processes{role="worker"} == 1) == 2',
        # PostgreSQL notifies each process of changes.
        "sum(masthead_cache_listeners) == 4",
        # A worker that ended still counts for a minute.
        "max(masthead_workers) == 2",
    ):
        end = time.monotonic() + 120
        while not cluster.query_monitor(query):
            assert time.monotonic() < end, query
            time.sleep(0.2)


def check_return(cluster: Cluster, staff: Client) -> None:
    """Check that the former primary can become the replica of the new one."""
    former, primary = cluster.databases
    former.copy(primary)
    assert staff.ask("POST", "/api/staff/news", {"title": "Afterwards"}).status == 200
    assert former.execute("SELECT pg_is_in_recovery()") == [(True,)]
