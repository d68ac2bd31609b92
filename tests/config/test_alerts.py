"""Prometheus raises each alert of ``config/prometheus/alerts.yml`` for its fault, and only then."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from tests.config.test_cluster_files import program, run

# Prometheus makes a database for each case.
pytestmark = pytest.mark.slow

FILE = Path(__file__).parents[2] / "config" / "prometheus" / "alerts.yml"
STEPS = 180
"""The number of values after which the alerts are looked at."""
REQUESTS = "masthead_http_request_duration_seconds"

Outcome = dict[str, Any]


class Case(NamedTuple):
    """Series of Prometheus with and without a fault."""

    fault: dict[str, str]
    usual: dict[str, str]
    labels: dict[str, str] = {}
    """The labels of the alert besides its severity."""


def constant(value: float) -> str:
    return f"{value}x{STEPS}"


def rising(step: float) -> str:
    """Return the values of a counter."""
    return f"0+{step}x{STEPS}"


def gauge(name: str, fault: float, usual: float, /, **labels: str) -> Case:
    """Return the case of a single value, whose labels the alert has."""
    chosen = ",".join(f'{label}="{value}"' for label, value in labels.items())
    series = f"{name}{{{chosen}}}" if labels else name
    return Case({series: constant(fault)}, {series: constant(usual)}, labels)


CASES = {
    "MastheadDown": Case(
        {}, {'masthead_processes{role="server"}': constant(2)}, {"role": "server"}
    ),
    "MastheadTargetDown": gauge("up", 0, 1, job="masthead", instance="10.0.0.12:9464"),
    "MastheadErrors": Case(
        {f'{REQUESTS}_count{{status="{each}"}}': rising(n) for each, n in ((200, 90), (503, 10))},
        {f'{REQUESTS}_count{{status="{each}"}}': rising(n) for each, n in ((200, 999), (503, 1))},
    ),
    "MastheadSlow": Case(
        {
            f'{REQUESTS}_bucket{{method="GET",le="{le}"}}': rising(n)
            for le, n in (("1.0", 50), ("5.0", 100), ("+Inf", 100))
        },
        {
            f'{REQUESTS}_bucket{{method="GET",le="{le}"}}': rising(n)
            for le, n in (("1.0", 99), ("5.0", 100), ("+Inf", 100))
        },
    ),
    "MastheadBusy": gauge("masthead_pool_queue_length", 11, 2, pool="reads"),
    "MastheadDatabaseDown": gauge("masthead_database_up", 0, 1, instance="10.0.0.11:9464"),
    "MastheadNoWorker": gauge("masthead_workers", 0, 1),
    "MastheadJobLate": gauge("masthead_job_lag_seconds", 900, 5, name="email.delivery-1"),
    "MastheadJobFails": gauge("masthead_job_failures_in_a_row", 3, 1, name="media.sweep"),
    "MastheadMailPaused": gauge("masthead_email_outbox_paused", 1, 0),
    "MastheadRelayTrouble": gauge("masthead_email_relay_trouble", 1, 0, relay="default"),
    "MastheadStorageAway": gauge("masthead_media_storage_away", 1, 0),
    "MastheadMailWaits": gauge("masthead_email_outbox_oldest_seconds", 90_000, 600),
    "MastheadLoginsFail": Case(
        {'masthead_auth_logins_total{result="throttled"}': rising(60)},
        {
            'masthead_auth_logins_total{result="failed"}': rising(10),
            'masthead_auth_logins_total{result="succeeded"}': rising(600),
        },
    ),
    "MastheadDiskFull": gauge("masthead_data_free_bytes", 5e8, 5e10),
    "MastheadMaintenance": gauge("masthead_maintenance", 1, 0),
}


def rules() -> dict[str, Any]:
    groups = yaml.safe_load(FILE.read_text("utf-8"))["groups"]
    return {rule["alert"]: rule for group in groups for rule in group["rules"]}


def outcome(name: str, series: dict[str, str], labels: dict[str, str] | None) -> Outcome:
    """Return a test of Prometheus: an alert has to have the labels, or not to fire for None."""
    rule, raised = rules()[name], []
    if labels is not None:
        summary = rule["annotations"]["summary"]
        summary = summary.replace("{{ $labels.instance }}", labels.get("instance", ""))
        raised = [{"exp_labels": rule["labels"] | labels, "exp_annotations": {"summary": summary}}]
    return {
        "input_series": [{"series": each, "values": values} for each, values in series.items()],
        "alert_rule_test": [{"alertname": name, "exp_alerts": raised}],
    }


def check(folder: Path, *outcomes: Outcome, step: str = "1m") -> None:
    """Let Prometheus evaluate the alerts after some steps."""
    for each in outcomes:
        each["interval"] = step
        each["alert_rule_test"][0]["eval_time"] = f"{STEPS}{step[-1]}"
    file = folder / "test.yml"
    whole = {"rule_files": [str(FILE)], "evaluation_interval": step, "tests": list(outcomes)}
    file.write_text(yaml.safe_dump(whole), "utf-8")
    run(program("promtool"), "test", "rules", file)


def test_each_alert_fires_for_its_fault_and_not_otherwise(tmp_path: Path) -> None:
    assert {*CASES, "MastheadBackupOld"} == set(rules())
    faults = [outcome(name, case.fault, case.labels) for name, case in CASES.items()]
    usual = [outcome(name, case.usual, None) for name, case in CASES.items()]

    check(tmp_path, *faults, *usual)


def test_one_of_two_machines_that_is_down_is_named(tmp_path: Path) -> None:
    up = {
        f'up{{job="masthead",instance="{address}:9464"}}': constant(value)
        for address, value in (("10.0.0.11", 1), ("10.0.0.12", 0))
    }
    processes = {'masthead_processes{role="server",instance="10.0.0.11:9464"}': constant(2)}
    named = {"job": "masthead", "instance": "10.0.0.12:9464"}

    check(
        tmp_path,
        outcome("MastheadTargetDown", up | processes, named),
        outcome("MastheadDown", up | processes, None),
    )


def test_a_backup_is_missed_unless_there_is_a_recent_one_or_the_check_is_off(
    tmp_path: Path,
) -> None:
    name, metric = "MastheadBackupOld", "masthead_backup_last_timestamp_seconds"
    # The clock of Prometheus begins with 0 here, and goes on by hours.
    recent, old, never = (STEPS - 20) * 3600, (STEPS - 60) * 3600, 0

    check(
        tmp_path,
        outcome(name, {metric: constant(recent)}, None),
        outcome(name, {metric: constant(old)}, {}),
        outcome(name, {metric: constant(never)}, {}),
        # With masthead.backup.max_age = 0 there is no such metric.
        outcome(name, {}, None),
        step="1h",
    )
