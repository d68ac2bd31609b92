from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families
from sqlalchemy import Connection

from masthead import Check, Counter, Gauge, Histogram, Instance, Plugin, Reading, User, hookimpl
from masthead.db import Database
from masthead.db.observed import observe
from masthead.settings import Setting
from masthead.telemetry import metrics
from masthead.telemetry.settings import TOKEN as METRICS_TOKEN
from masthead.testing import Client
from masthead.web.health import STATUS_TOKEN

TOKEN = "0123456789abcdefghij"
GROWN = Counter("masthead_garden_plants", "Plants that have grown.", ("kind",))
WATER = Gauge("masthead_garden_water_litres", "Water in the butt.")
DUG = Histogram("masthead_garden_digging_seconds", "Time that digging took.", ("spade",))


class Garden:
    """Hooks of a plugin with a reading whose values the test sets."""

    def __init__(self) -> None:
        self.weeds: float | Exception = 3
        self.answers = threading.Event()
        self.answers.set()
        self.asked = 0

    @hookimpl
    def masthead_checks(self) -> list[Check | Reading]:
        return [Reading("masthead_garden_weeds", "Weeds in a bed.", ("bed",), self.read)]

    def read(
        self, _instance: Instance, _connection: Connection
    ) -> Iterable[tuple[tuple[str, ...], float]]:
        self.asked += 1
        self.answers.wait(60)
        if isinstance(self.weeds, Exception):
            raise self.weeds
        return [(("north",), self.weeds)]


@pytest.fixture
def garden() -> Garden:
    return Garden()


@pytest.fixture
def plugins(garden: Garden) -> Sequence[str | Plugin]:
    return (Plugin(name="garden", hooks=(garden,)),)


@pytest.fixture
def settings() -> Mapping[str, str]:
    return {"masthead.metrics.token": TOKEN}


@pytest.fixture
def scrape(app: Client) -> Callable[[], dict[str, dict[tuple[tuple[str, str], ...], float]]]:
    """Return a function that returns the values of all samples by their names and labels."""

    def read() -> dict[str, dict[tuple[tuple[str, str], ...], float]]:
        text = app.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"}).text
        found: dict[str, dict[tuple[tuple[str, str], ...], float]] = {}
        for family in text_string_to_metric_families(text):
            for sample in family.samples:
                labels = tuple(sorted(sample.labels.items()))
                found.setdefault(sample.name, {})[labels] = sample.value
        return found

    return read


@pytest.mark.parametrize(
    "header", [None, "Bearer", "Bearer wrong", f"Bearer {TOKEN}x", f"Basic {TOKEN}", "Bearer \xe9"]
)
def test_only_the_token_opens_the_metrics(app: Client, header: str | None) -> None:
    app.get("/metrics", headers={"Authorization": header} if header else {}, status=401)


def test_administrators_read_the_metrics_without_the_token(app: Client) -> None:
    app.as_role("admin").get("/metrics")
    app.as_role("editor").get("/metrics", status=403)


def test_a_request_is_counted_by_endpoint_method_and_status(
    app: Client, scrape: Callable[[], Any], make_user: Callable[..., User]
) -> None:
    ada = make_user("ada")
    name = "masthead_http_request_duration_seconds_count"

    def count(route: str, method: str, status: str) -> float:
        labels = (("method", method), ("route", route), ("status", status))
        return float(scrape().get(name, {}).get(labels, 0))

    asked: list[tuple[Callable[[], Any], tuple[str, str, str]]] = [
        (lambda: app.get("/healthz"), ("core.healthz", "GET", "200")),
        (lambda: app.head("/healthz"), ("core.healthz", "HEAD", "200")),
        (lambda: app.get("/status", status=401), ("core.status", "GET", "401")),
        (lambda: app.as_user(ada).get("/status", status=403), ("core.status", "GET", "403")),
        (lambda: app.get("/nowhere/ada", status=404), ("other", "GET", "404")),
        (lambda: app.get("/healthz?%ff", status=400), ("other", "GET", "400")),
    ]
    for ask, labels in asked:
        before = count(*labels)
        ask()
        assert count(*labels) == before + 1, labels


def test_no_label_has_a_path_or_a_user(
    app: Client, scrape: Callable[[], Any], make_user: Callable[..., User]
) -> None:
    login = {"username": "ada", "password": "wrong horse battery"}
    make_user("ada")
    failed = (("result", "failed"),)
    before = scrape().get("masthead_auth_logins_total", {}).get(failed, 0)
    app.post_json("/api/auth/login", login, status=401)
    app.get("/secret-path/7?token=hush", status=404)

    found = scrape()
    values = {value for samples in found.values() for labels in samples for _, value in labels}

    assert found["masthead_auth_logins_total"][failed] == before + 1
    assert not [value for value in values if "/" in value or value in ("ada", "hush", "7")]


def test_a_plugin_has_metrics_of_its_own(scrape: Callable[[], Any], garden: Garden) -> None:
    before = scrape().get("masthead_garden_plants_total", {}).get((("kind", "bean"),), 0)
    GROWN.add("bean")
    GROWN.add("bean", amount=2)
    WATER.set(7.5)
    DUG.observe(0.2, "small")

    found = scrape()

    assert found["masthead_garden_plants_total"][(("kind", "bean"),)] == before + 3
    assert found["masthead_garden_water_litres"][()] == 7.5
    assert found["masthead_garden_digging_seconds_count"][(("spade", "small"),)] >= 1
    assert found["masthead_garden_weeds"] == {(("bed", "north"),): 3}
    assert garden.asked == 1, "a reading is kept for some seconds"
    with pytest.raises(ValueError, match="has the labels"):
        GROWN.add("bean", "again")


def test_a_plugin_with_too_many_labels_does_not_fill_the_memory(
    scrape: Callable[[], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(metrics, "_MAX_SERIES", 5)
    scrape()
    for number in range(50):
        GROWN.add(f"kind {number}")

    plants = scrape()["masthead_garden_plants_total"]

    assert len(plants) <= 6
    assert plants[(("kind", "other"),)] >= 45


def test_a_reading_that_fails_hides_no_other_metric(
    scrape: Callable[[], Any], instance: Instance, garden: Garden
) -> None:
    garden.weeds = OSError("the gate is closed")

    found = scrape()

    assert found["masthead_database_up"] == {(): 0}
    assert "masthead_garden_weeds" not in found
    assert found["masthead_processes"][(("role", "server"),)] == 1
    for reading in instance.readings:
        name, has_values = reading.name, reading.name in found
        assert has_values or name == "masthead_garden_weeds" or reading.labels, name


def test_the_connections_of_a_server_and_its_worker_are_added_up(
    scrape: Callable[[], Any], instance: Instance
) -> None:
    pool = (("pool", "write"),)
    before = scrape()["masthead_database_connections_max"][pool]

    other = Database(instance.database.url.render_as_string(hide_password=False), pool_size=3)
    observe(other)

    assert scrape()["masthead_database_connections_max"][pool] == before + 6


@pytest.mark.slow
def test_a_database_that_hangs_delays_a_scrape_for_seconds_only(
    scrape: Callable[[], Any], garden: Garden
) -> None:
    garden.answers.clear()

    found = scrape()
    again = scrape()
    assert garden.asked == 1
    garden.answers.set()
    end = time.monotonic() + 10
    while scrape()["masthead_database_up"] == {(): 0}:
        assert time.monotonic() < end
        time.sleep(0.05)

    assert found["masthead_database_up"] == again["masthead_database_up"] == {(): 0}
    assert garden.asked == 1


@pytest.mark.parametrize("value", ["short", "with a blank in it, though long", "é" * 20])
@pytest.mark.parametrize("setting", [METRICS_TOKEN, STATUS_TOKEN])
def test_a_weak_token_stops_the_start(setting: Setting[str], value: str) -> None:
    with pytest.raises(ValueError, match="at least 20"):
        setting.parse(value)


@pytest.mark.parametrize(
    ("value", "parsed"),
    [
        ("", None),
        ("9464", ("127.0.0.1", 9464)),
        (" 10.0.0.5:9464 ", ("10.0.0.5", 9464)),
        ("[::1]:0", ("::1", 0)),
        (":9464", ValueError),
        ("9464x", ValueError),
        ("localhost", ValueError),
        ("127.0.0.1:65536", ValueError),
    ],
)
def test_a_port_of_its_own_is_on_this_machine_by_default(value: str, parsed: Any) -> None:
    from masthead.telemetry.settings import LISTEN

    if parsed is ValueError:
        with pytest.raises(ValueError, match="a port such as 9464"):
            LISTEN.parse(value)
    else:
        assert LISTEN.parse(value) == parsed
