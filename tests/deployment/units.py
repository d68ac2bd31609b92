"""The shipped units under names of their own, with drop-ins that adapt them to this machine.

They are in ``/run/systemd/system``, and everything is removed at the end.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from masthead.testing.programs import free_port
from tests.deployment.client import Client

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "config" / "deploy"
SHIPPED = sorted(path for path in DEPLOY.glob("masthead*.*") if path.suffix != ".sh")
UNITS = Path("/run/systemd/system")
PROGRAM = Path(sys.executable).with_name("masthead")
WATCHDOG = 10
"""The seconds without a sign of life that docs/operations.md allows at least."""
STARTED = 30.0
"""The seconds in which a program of a busy machine has started, or is started again."""


def unusable() -> str:
    """Return why this machine can't run the tests; blank if it can."""
    if os.geteuid() != 0:
        return "needs root"
    if not UNITS.parent.exists():
        return "needs systemd as PID 1"
    state = _run("systemctl", "is-system-running", "--wait")
    return "" if state in ("running", "degraded") else f"needs a running systemd, which is {state}"


class Deployment:
    """A server, a worker and a backup under systemd, without an instance at first.

    :param name: the beginning of all names, in place of ``masthead``.
    """

    def __init__(self, name: str) -> None:
        self.name, self.worker, self.backup = name, f"{name}-worker", f"{name}-backup"
        self.socket, self.timer = f"{name}.socket", f"{name}-backup.timer"
        self.data = Path("/var/lib") / name
        # The services don't see /tmp, and may not write beside their data.
        self._files = Path("/var/lib") / f"{name}-files"
        self.backups, self.media = self._files / "backups", self._files / "media"
        self.config = self._files / "production.ini"
        self.port = free_port()
        self.client = Client(f"http://127.0.0.1:{self.port}")
        self._begun = f"@{time.time():.0f}"

    def install(self) -> None:
        """Install the units and their drop-ins, and write the configuration."""
        for path in (self.backups, self.media):
            path.mkdir(parents=True)
            shutil.chown(path, "nobody")
        self.configure()
        for shipped in SHIPPED:
            text = shipped.read_text("utf-8")
            name = shipped.name.replace("masthead", self.name)
            (UNITS / name).write_text(text, "utf-8")
            if shipped.suffix == ".service":
                self.drop_in(name, "machine", "Service", *self._of_this_machine(text))
        self.drop_in(
            self.socket, "machine", "Socket", "ListenStream=", f"ListenStream=127.0.0.1:{self.port}"
        )
        for name in (self.name, self.worker):
            self.drop_in(f"{name}.service", "watchdog", "Service", f"WatchdogSec={WATCHDOG}")

    def configure(self, **settings: str) -> None:
        """Write the shipped configuration file with settings.

        :param settings: the values by the last parts of the names, ``server_port`` for
            ``masthead.server.port``.
        """
        text = (ROOT / "config" / "production.ini").read_text("utf-8")
        needed = {"server_port": str(self.port), "server_processes": "2", "worker_inside": "false"}
        for name, value in (needed | settings).items():
            key = f"masthead.{name.replace('_', '.', 1)}"
            text, found = re.subn(rf"(?m)^# {re.escape(key)} =.*$", f"{key} = {value}", text)
            assert found == 1, key
        self.config.write_text(text, "utf-8")

    def drop_in(self, unit: str, name: str, section: str, *lines: str) -> None:
        """Write a drop-in, as ``systemctl edit`` does."""
        folder = UNITS / f"{unit}.d"
        folder.mkdir(exist_ok=True)
        (folder / f"{name}.conf").write_text("\n".join((f"[{section}]", *lines, "")), "utf-8")
        _run("systemctl", "daemon-reload")

    def _of_this_machine(self, unit: str) -> list[str]:
        """Return the lines of a drop-in: another user, other paths, and access to the programs."""
        [command] = re.findall(r"(?m)^ExecStart=(.*)$", unit)
        for shipped, present in {
            "/opt/masthead/bin/masthead": PROGRAM,
            "/etc/masthead/production.ini": self.config,
            "/var/backups/masthead": self.backups,
        }.items():
            command = command.replace(shipped, str(present))
        lines = [
            "User=nobody",
            "StateDirectory=",
            f"StateDirectory={self.name}",
            "Environment=",
            f"Environment=MASTHEAD_DATA={self.data}",
            "EnvironmentFile=",
            "ExecStart=",
            f"ExecStart={command}",
            "ProtectHome=tmpfs",
            f"BindReadOnlyPaths={ROOT} {sys.base_prefix}",
        ]
        if "/var/backups/masthead" in unit:
            lines += ["ReadWritePaths=", f"ReadWritePaths={self.backups}"]
        return lines

    def systemctl(self, *arguments: str) -> int:
        """Run systemctl, and return its exit status."""
        return subprocess.run(
            ["systemctl", *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
        ).returncode

    def show(self, unit: str, prop: str) -> str:
        """Return a property of a unit."""
        return _run("systemctl", "show", unit, f"--property={prop}", "--value")

    def main_pid(self, unit: str) -> int:
        """Return the number of the main process; 0 without one."""
        return int(self.show(unit, "MainPID"))

    def children(self, pid: int) -> list[int]:
        """Return the numbers of the processes that a process has started."""
        return [int(each) for each in _run("ps", "--ppid", str(pid), "-o", "pid=").split()]

    def wait_for_another(self, unit: str, pid: int) -> float:
        """Wait until a unit is active with another main process, and return the seconds."""
        return wait_until(
            lambda: (
                self.main_pid(unit) not in (0, pid) and self.show(unit, "ActiveState") == "active"
            ),
            WATCHDOG + STARTED,
        )

    def journal(self, unit: str, *options: str) -> str:
        """Return the messages of a unit, without those of systemd."""
        _run("journalctl", "--sync")
        named = (f"--since={self._begun}", f"_SYSTEMD_UNIT={unit}.service")
        return _run("journalctl", "--quiet", "--output=cat", *named, *options)

    def log_in(self) -> Client:
        """Return a client that is logged in as the administrator of the first start."""
        [password] = re.findall(r"(?m)^ *password: (\S+)$", self.journal(self.name))
        token = self.client.log_in("admin", password)
        return Client(f"http://127.0.0.1:{self.port}", token)

    def remove(self) -> None:
        """Stop and remove all units, and delete the data and the files."""
        units = [shipped.name.replace("masthead", self.name) for shipped in SHIPPED]
        self.systemctl("stop", *units)
        for unit in units:
            (UNITS / unit).unlink(missing_ok=True)
            shutil.rmtree(UNITS / f"{unit}.d", ignore_errors=True)
        self.systemctl("reset-failed", *units)
        self.systemctl("daemon-reload")
        for folder in (self.data, self._files):
            shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def installed() -> Iterator[Deployment]:
    """Install the units, and remove them at the end."""
    deployment = Deployment(f"masthead-test-{secrets.token_hex(4)}")
    try:
        deployment.install()
        yield deployment
    finally:
        deployment.remove()


def wait_until(holds: Callable[[], bool], seconds: float) -> float:
    """Wait until a condition holds, and return the seconds that it took."""
    begun = time.monotonic()
    while not holds():
        assert time.monotonic() - begun < seconds
        time.sleep(0.1)
    return time.monotonic() - begun


def answers(client: Client) -> bool:
    """Whether the server answers a request."""
    with suppress(OSError):
        return client.ask("GET", "/readyz").status == 200
    return False


def _run(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
