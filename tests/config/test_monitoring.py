"""The dashboard, the alerts and the table of metrics name the metrics of a server and a worker."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

ROOT = Path(__file__).parents[2]
NAME = re.compile(r"\bmasthead_[a-z0-9_]+")
PROGRAM = [sys.executable, "-c", "from masthead.cli import main; main()"]


@pytest.fixture
def scraped(tmp_path: Path) -> Iterator[tuple[set[str], set[str]]]:
    """The names of families and of samples of a server and of a worker of its own."""
    kept = {name: v for name, v in os.environ.items() if not name.startswith("MASTHEAD_")}
    environ = kept | {
        "MASTHEAD_DATA": str(tmp_path),
        "MASTHEAD_METRICS_LISTEN": "0",
        "MASTHEAD_METRICS_WORKER_LISTEN": "0",
        "MASTHEAD_WORKER_INSIDE": "false",
        "MASTHEAD_SERVER_PORT": "0",
    }
    programs: list[subprocess.Popen[str]] = []
    addresses: list[str] = []
    try:
        for command, ready in (("serve", "answers at"), ("worker", "is running")):
            program = subprocess.Popen(
                [*PROGRAM, command],
                env=environ,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
            )
            programs.append(program)
            assert program.stdout is not None
            for line in program.stdout:
                addresses += re.findall(r"http://\S+/metrics", line)
                if ready in line:
                    break
        # A job runs within a second; its metrics are only in the worker's scrape.
        texts: list[str] = []
        for _ in range(100):
            texts = [urllib.request.urlopen(each, timeout=20).read().decode() for each in addresses]
            if "masthead_job_duration_seconds_count{" in texts[1]:
                break
            time.sleep(0.1)
        yield _names("".join(texts))
    finally:
        for program in programs:
            program.terminate()
            program.communicate(timeout=30)


def _names(text: str) -> tuple[set[str], set[str]]:
    families, samples = set[str](), set[str]()
    for family in text_string_to_metric_families(text):
        name = family.name
        families.add(f"{name}_total" if family.type == "counter" else name)
        suffixes = {"counter": ["_total"], "histogram": ["_bucket", "_count", "_sum"]}
        samples.update(f"{name}{suffix}" for suffix in suffixes.get(family.type, [""]))
    return families, samples


@pytest.mark.slow
def test_dashboard_alerts_and_documentation_name_what_is_exposed(
    scraped: tuple[set[str], set[str]],
) -> None:
    families, samples = scraped
    dashboard = json.loads((ROOT / "config/grafana/masthead.json").read_text())
    shown = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    rules = yaml.safe_load((ROOT / "config/prometheus/alerts.yml").read_text())
    watched = [rule["expr"] for group in rules["groups"] for rule in group["rules"]]
    documented = re.findall(
        r"^\| `(masthead_[a-z0-9_]+)` \|", (ROOT / "docs/operations.md").read_text(), re.MULTILINE
    )

    for expression in shown + watched:
        names = set(NAME.findall(expression))
        assert names, expression
        assert names <= samples, expression
    assert sorted(documented) == sorted(families)
    # Each metric is on the dashboard.
    of_dashboard = {re.sub(r"_(bucket|count)$", "", name) for name in NAME.findall(" ".join(shown))}
    assert of_dashboard == families
