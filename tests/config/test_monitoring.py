"""Dashboard, alerts and the table of metrics agree with scrapes of a server and a worker."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import yaml
from prometheus_client import Metric
from prometheus_client.parser import text_string_to_metric_families

from tests.config.test_cluster_files import program, run

ROOT = Path(__file__).parents[2]
NAME = re.compile(r"\bmasthead_[a-z0-9_]+")
ROW = re.compile(r"^\| `(masthead_[a-z0-9_]+)` \|([^|]*)\|", re.MULTILINE)
GROUPED = re.compile(r"\bby \(([^)]*)\)")
SELECTED = re.compile(r"\b(masthead_[a-z0-9_]+)\{([^}]*)\}")
MATCHER = re.compile(r'(\w+)\s*(=~|=)\s*"([^"]*)"')
LEGEND = re.compile(r"\{\{(\w+)\}\}")
PROGRAM = [sys.executable, "-c", "from masthead.cli import main; main()"]
SUFFIXES = {"counter": ["_total"], "histogram": ["_bucket", "_count", "_sum"]}
WRONG_LOGIN = {"username": "admin", "password": "not this one"}


@pytest.fixture(scope="module")
def scraped(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Metric]]:
    """The metrics of a server, which has answered requests, and of a worker of its own."""
    kept = {name: v for name, v in os.environ.items() if not name.startswith("MASTHEAD_")}
    environ = kept | {
        "MASTHEAD_DATA": str(tmp_path_factory.mktemp("monitored")),
        "MASTHEAD_METRICS_LISTEN": "0",
        "MASTHEAD_METRICS_WORKER_LISTEN": "0",
        "MASTHEAD_WORKER_INSIDE": "false",
        "MASTHEAD_SERVER_PORT": "0",
    }
    with (
        running("serve", environ, "answers at") as server,
        running("worker", environ, "is running") as worker,
    ):
        visit(re.findall(r"answers at (http://\S+)", server)[0])
        yield scrape(re.findall(r"http://\S+/metrics", server + worker))


@contextmanager
def running(command: str, environ: dict[str, str], ready: str) -> Iterator[str]:
    """Run a command of Masthead, and return what it prints until it is ready."""
    started = subprocess.Popen(
        [*PROGRAM, command],
        env=environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    printed = ""
    try:
        assert started.stdout is not None
        for line in started.stdout:
            printed += line
            if ready in line:
                break
        yield printed
    finally:
        started.terminate()
        started.communicate(timeout=30)


def scrape(addresses: list[str]) -> list[Metric]:
    """Return the metrics of a server and a worker, when both have had something to do."""
    # The metrics of a request can be two seconds old, and a job runs within a second; its metrics
    # are only in the worker's scrape.
    expected = ("masthead_auth_logins_total{", "masthead_job_duration_seconds_count{")
    texts: list[str] = []
    for _ in range(100):
        texts = [urllib.request.urlopen(each, timeout=20).read().decode() for each in addresses]
        if all(sample in text for sample, text in zip(expected, texts, strict=True)):
            break
        time.sleep(0.1)
    return list(text_string_to_metric_families("".join(texts)))


def visit(address: str) -> None:
    """Make requests, so that metrics of requests, of the cache and of logins have samples."""
    with closing(HTTPConnection(urlsplit(address).netloc, timeout=30)) as connection:
        for path in ("/api/news", "/api/news", "/missing"):
            connection.request("GET", path)
            connection.getresponse().read()
        body, kind = json.dumps(WRONG_LOGIN), {"Content-Type": "application/json"}
        connection.request("POST", "/api/auth/login", body, kind)
        assert connection.getresponse().status == 401


def targets() -> list[dict[str, Any]]:
    """Return the expressions of the dashboard with their legends."""
    dashboard = json.loads((ROOT / "config/grafana/masthead.json").read_text())
    return [target for panel in dashboard["panels"] for target in panel["targets"]]


def expressions() -> list[str]:
    """Return the expressions of the dashboard and of the alerts."""
    rules = yaml.safe_load((ROOT / "config/prometheus/alerts.yml").read_text())
    watched = [rule["expr"] for group in rules["groups"] for rule in group["rules"]]
    return [each["expr"] for each in targets()] + watched


def documented() -> dict[str, set[str]]:
    """Return the labels of each metric by the documentation."""
    rows = ROW.findall((ROOT / "docs/operations.md").read_text())
    return {name: set(re.findall(r"\w+", labels)) for name, labels in rows}


def labels_of(sample: str) -> set[str]:
    """Return the labels of a sample by the documentation; each also has that of its target."""
    known = documented()
    metric = sample if sample in known else re.sub(r"_(bucket|count|sum)$", "", sample)
    return known[metric] | {"instance"} | ({"le"} if sample.endswith("_bucket") else set())


def base(metric: Metric) -> str:
    return f"{metric.name}_total" if metric.type == "counter" else metric.name


@pytest.mark.slow
def test_dashboard_alerts_and_documentation_name_what_is_exposed(scraped: list[Metric]) -> None:
    families = {base(metric) for metric in scraped}
    samples = {
        metric.name + suffix for metric in scraped for suffix in SUFFIXES.get(metric.type, [""])
    }
    shown = " ".join(target["expr"] for target in targets())

    for expression in expressions():
        names = set(NAME.findall(expression))
        assert names or "up{" in expression, expression
        assert names <= samples, expression
    assert sorted(documented()) == sorted(families)
    # Each metric is on the dashboard.
    assert {re.sub(r"_(bucket|count)$", "", name) for name in NAME.findall(shown)} == families


@pytest.mark.slow
def test_the_exposed_labels_are_those_of_the_documentation(scraped: list[Metric]) -> None:
    table = documented()
    exposed = [
        (base(metric), set(sample.labels) - {"le"})
        for metric in scraped
        for sample in metric.samples
    ]

    assert [(name, labels) for name, labels in exposed if labels != table[name]] == []
    # Others, such as those of relays and caches, have no samples without them.
    assert len({name for name, _ in exposed}) >= 28


def test_expressions_and_legends_use_labels_that_their_metrics_have() -> None:
    for expression in (part for each in expressions() for part in each.split(" or ")):
        names = NAME.findall(expression)
        for group in GROUPED.findall(expression):
            for name in names:
                assert set(group.split(", ")) <= labels_of(name), expression
        for name, matchers in SELECTED.findall(expression):
            found = {label for label, _, _ in MATCHER.findall(matchers)}
            assert found, expression
            assert found <= labels_of(name), expression
    for target in targets():
        groups = [set(group.split(", ")) for group in GROUPED.findall(target["expr"])]
        legend = set(LEGEND.findall(target["legendFormat"]))
        assert all(legend <= group for group in groups), target
        assert groups or not legend, target


@pytest.mark.slow
def test_expressions_select_values_that_labels_have(scraped: list[Metric]) -> None:
    # No request ends with 5xx here, and no server refuses one.
    unseen = {("status", "5.."), ("status", "503")}
    values: dict[str, set[str]] = {}
    for metric in scraped:
        for sample in metric.samples:
            for label, value in sample.labels.items():
                values.setdefault(label, set()).add(value)

    selected = {
        (label, wanted)
        for expression in expressions()
        for name, matchers in SELECTED.findall(expression)
        for label, _, wanted in MATCHER.findall(matchers)
    }
    assert len(selected) >= 4
    for label, wanted in selected - unseen:
        assert any(re.fullmatch(wanted, value) for value in values[label]), (label, wanted)


def test_prometheus_understands_the_expressions_of_the_dashboard(tmp_path: Path) -> None:
    rules = [
        {"record": f"panel:{number}", "expr": target["expr"].replace("$__rate_interval", "5m")}
        for number, target in enumerate(targets())
    ]
    file = tmp_path / "rules.yml"
    file.write_text(yaml.safe_dump({"groups": [{"name": "dashboard", "rules": rules}]}))

    run(program("promtool"), "check", "rules", file)
