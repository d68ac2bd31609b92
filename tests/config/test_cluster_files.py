"""The programs accept the files of a deployment on several machines as they are."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

CONFIG = Path(__file__).parents[2] / "config"
CLUSTER = CONFIG / "deploy" / "cluster"
SUBJECT = ("-subj", "/CN=api.example.org", "-nodes", "-days", "1")
CURVE = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256")


def program(name: str) -> str:
    path = shutil.which(name) or shutil.which(name, path="/usr/sbin")
    if path is None:
        pytest.skip(f"needs {name}")
    return path


def run(*command: str | Path) -> None:
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr


def test_haproxy_accepts_its_file_with_a_certificate(tmp_path: Path) -> None:
    haproxy, pem = program("haproxy"), tmp_path / "api.example.org.pem"
    files = ("-keyout", tmp_path / "key", "-out", tmp_path / "certificate")
    run(program("openssl"), "req", "-x509", *CURVE, *SUBJECT, *files)
    pem.write_bytes(b"".join((tmp_path / name).read_bytes() for name in ("certificate", "key")))
    text = (CLUSTER / "haproxy.cfg").read_text("utf-8")
    copy = tmp_path / "haproxy.cfg"
    copy.write_text(text.replace("/etc/haproxy", str(tmp_path)), "utf-8")

    run(haproxy, "-c", "-f", copy)


def test_prometheus_accepts_its_file_with_the_alerts(tmp_path: Path) -> None:
    for file in (CLUSTER / "prometheus.yml", CONFIG / "prometheus" / "alerts.yml"):
        shutil.copy(file, tmp_path)

    run(program("promtool"), "check", "config", tmp_path / "prometheus.yml")


def test_the_shell_accepts_the_promotion() -> None:
    run(program("sh"), "-n", CLUSTER / "promote.sh")
