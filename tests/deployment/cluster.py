"""The reference deployment on this machine, from the files in config/deploy/cluster."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
import urllib.request
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

from masthead.testing.postgres import find_binaries
from tests.deployment.client import Client
from tests.deployment.files import FOLDER, Files
from tests.deployment.postgres import DatabaseMachine
from tests.deployment.programs import Program, find, listens, wait_until

MASTHEAD = [sys.executable, "-c", "from masthead.cli import main; main()"]
ROOT = FOLDER.parents[2]
SINK = ROOT / "plugins" / "email" / "tests" / "sink.py"
PASSWORD = "a password of many words"
_SECRET = secrets.token_hex(32)
_KEY = "masthead", "the secret of the key"
_PROXY, _STORE, _RELAY, _MONITOR = 1, 31, 41, 51
_PROGRAMS = ("haproxy", "pgbouncer", "prometheus", "rclone", "psql")
# Faults of ten seconds are to be over soon after them; the defaults suit hours.
_IMPATIENT = {
    "MASTHEAD_EMAIL_TIMEOUT": "5",
    "MASTHEAD_EMAIL_RETRY_DELAYS": "5 5 5 5",
}


def missing_programs() -> list[str]:
    """Return the programs that the deployment needs and this machine lacks."""
    missing = [name for name in _PROGRAMS if find(name) is None]
    if sys.platform != "linux":
        missing.append("Linux, whose loopback network has many addresses")
    try:
        if not (find_binaries() / "pg_basebackup").exists():
            missing.append("pg_basebackup")
    except FileNotFoundError:
        missing.append("postgres")
    return missing


class AppMachine:
    """A machine with a server and a worker of Masthead."""

    def __init__(self, files: Files, folder: Path, number: int, settings: dict[str, str]) -> None:
        self.address = files.address(number)
        self.url = f"http://{self.address}:6543"
        folder.mkdir()
        data = {"/var/lib/masthead": str(folder / "data")}
        ini = files.write("production.ini", folder / "production.ini", data)
        self.environ = {**_clean_environ(), **_environment(files, number), **settings}
        self.ini = str(ini)
        server, worker = ([*MASTHEAD, name, "-c", self.ini] for name in ("serve", "worker"))
        self.server = Program(server, folder / "server.log", self.environ)
        self.worker = Program(worker, folder / "worker.log", self.environ)

    def run(self, *arguments: str, stdin: str = "", **settings: str) -> None:
        """Run a command of Masthead on this machine.

        :param settings: variables of the environment besides those of the machine.
        """
        subprocess.run(
            [*MASTHEAD, *arguments, "-c", self.ini],
            env=self.environ | settings,
            input=stdin,
            text=True,
            check=True,
            capture_output=True,
        )

    def start_server(self) -> None:
        """Start the server, and wait until it is ready."""
        self.server.start()
        self.wait()

    def wait(self) -> None:
        """Wait until the server is ready."""
        wait_until(lambda: is_ready(self.url), self.server.log)


class Cluster:
    """All machines of the deployment; the cache of the first one with Masthead is strict."""

    def __init__(self, folder: Path, settings: dict[str, str], latency: float) -> None:
        files = Files()
        self.folder = folder
        self.databases = [
            DatabaseMachine(files, folder / f"db{n}", files.address(20 + n)) for n in (1, 2)
        ]
        self.primary, self.replica = self.databases
        of_first = {"MASTHEAD_CACHE_STRICT": "true"}
        self.apps = [
            AppMachine(files, folder / f"app{n}", 10 + n, _IMPATIENT | own | settings)
            for n, own in ((1, of_first), (2, {}))
        ]
        self.url = f"http://{files.address(_PROXY)}:8443"
        self.taken = folder / "taken"
        self._files = files
        self.proxy = self._proxy()
        self.store = self._store()
        self.relay = self._relay(latency)
        self.monitor = self._monitor()

    @property
    def monitor_url(self) -> str:
        """The address of Prometheus."""
        return f"http://{self._files.address(_MONITOR)}:9090"

    def start(self) -> None:
        """Start all machines, with an administrator and an empty instance."""
        self.start_store()
        self.start_relay()
        self._start(self.monitor, _MONITOR, 9090)
        self.primary.create()
        self.replica.copy(self.primary)
        first = self.apps[0]
        first.run("db", "upgrade")
        added = ("user", "add", "ada", "--email", "ada@example.org", "--role", "admin")
        first.run(*added, "--password-stdin", stdin=PASSWORD)
        for app in self.apps:
            app.server.start()
            app.worker.start()
        for app in self.apps:
            app.wait()
        self.start_proxy()
        wait_until(lambda: is_ready(self.url), self.proxy.log)

    def stop(self) -> None:
        """Stop all programs."""
        for app in self.apps:
            app.server.stop()
            app.worker.stop()
        for program in (self.proxy, self.store, self.relay, self.monitor):
            program.stop()
        for database in self.databases:
            database.stop()

    def log_in(self) -> str:
        """Return a token of the administrator."""
        return Client(self.url).log_in("ada", PASSWORD)

    def start_proxy(self) -> None:
        """Start the proxy, and wait until it accepts connections."""
        self._start(self.proxy, _PROXY, 8443)

    def start_store(self) -> None:
        """Start the storage, and wait until it accepts connections."""
        self._start(self.store, _STORE, 9000)

    def start_relay(self) -> None:
        """Start the relay, and wait until it accepts connections."""
        self._start(self.relay, _RELAY, 2587)

    def mails(self) -> dict[str, Counter[str]]:
        """Return the ids of the messages that the relay has taken, counted by recipient."""
        taken: dict[str, Counter[str]] = {}
        for line in self.taken.read_text().splitlines():
            number, recipient, _ = line.split()
            taken.setdefault(recipient, Counter())[number] += 1
        return taken

    def mail_times(self) -> list[float]:
        """Return the Unix timestamps at which the relay took a message, oldest first."""
        return [int(line.split()[2]) / 1e6 for line in self.taken.read_text().splitlines()]

    def query_monitor(self, expression: str) -> list[dict[str, Any]]:
        """Return the results of an expression of Prometheus."""
        url = f"{self.monitor_url}/api/v1/query?query={quote(expression)}"
        with urllib.request.urlopen(url) as answer:
            return list(json.load(answer)["data"]["result"])

    def _start(self, program: Program, number: int, port: int) -> None:
        program.start()
        wait_until(lambda: listens(self._files.address(number), port), program.log)

    def _proxy(self) -> Program:
        paths = {"/run/haproxy": str(self.folder)}
        configuration = self._files.write("haproxy.cfg", self.folder / "haproxy.cfg", paths)
        command = [find("haproxy") or "haproxy", "-db", "-f", configuration]
        return Program(command, self.folder / "haproxy.log", os.environ)

    def _store(self) -> Program:
        bucket = self.folder / "store" / "masthead"
        bucket.mkdir(parents=True)
        address = ["--addr", f"{self._files.address(_STORE)}:9000"]
        options = [*address, "--auth-key", ",".join(_KEY), "--config", "/dev/null"]
        command = [find("rclone") or "rclone", "serve", "s3", *options, bucket.parent]
        return Program(command, self.folder / "store.log", os.environ)

    def _relay(self, latency: float) -> Program:
        address = ["--host", self._files.address(_RELAY), "--port", "2587"]
        options = [*address, "--latency", str(latency), "--log", self.taken]
        command = [sys.executable, SINK, *options]
        return Program(command, self.folder / "relay.log", os.environ)

    def _monitor(self) -> Program:
        shutil.copy(ROOT / "config" / "prometheus" / "alerts.yml", self.folder)
        configuration = self._files.write("prometheus.yml", self.folder / "prometheus.yml", {})
        address = f"--web.listen-address={self._files.address(_MONITOR)}:9090"
        storage = f"--storage.tsdb.path={self.folder / 'prometheus'}"
        command = [find("prometheus") or "prometheus", f"--config.file={configuration}"]
        return Program([*command, address, storage], self.folder / "prometheus.log", os.environ)


@contextmanager
def running_cluster(latency: float = 0.0, **settings: str) -> Iterator[Cluster]:
    """Run the deployment.

    :param latency: the delay of each reply of the relay in seconds.
    :param settings: variables of the environment of both machines with Masthead.
    """
    with tempfile.TemporaryDirectory(prefix="cluster") as folder:
        # PostgreSQL and PgBouncer run as another user.
        Path(folder).chmod(0o755)
        cluster = Cluster(Path(folder), settings, latency)
        try:
            cluster.start()
            yield cluster
        finally:
            cluster.stop()


def is_ready(url: str) -> bool:
    """Whether a machine answers that it is ready."""
    with suppress(OSError):
        return Client(url).ask("GET", "/readyz").status == 200
    return False


def _environment(files: Files, number: int) -> dict[str, str]:
    """Return the variables of the file ``environment``, with those that each machine sets."""
    text = files.read("environment").replace(files.address(11), files.address(number))
    for described, value in {
        "the output of openssl rand -hex 32": _SECRET,
        "the name of a key of the storage": _KEY[0],
        "its secret": _KEY[1],
    }.items():
        assert text.count(described) == 1
        text = text.replace(described, value)
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return {name: value.strip("'") for name, _, value in (line.partition("=") for line in lines)}


def _clean_environ() -> dict[str, str]:
    return {name: v for name, v in os.environ.items() if not name.startswith(("MASTHEAD_", "AWS_"))}
