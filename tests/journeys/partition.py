"""A PostgreSQL server in a network of its own, which a test cuts off without a word.

Between this machine and the server is a router in a third network namespace. While it is cut, it
drops all packets of both directions, so that neither side gets an answer or a reset.
"""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

from masthead.testing.postgres import find_binaries
from tests.deployment.programs import Program, unprivileged_user

_NETWORK = "198.18"
"""The beginning of addresses that are reserved for tests of networks (RFC 2544)."""
_OPTIONS = ("-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
_QUICK = ("-c", "fsync=off")
_TRUSTED = f"host all all {_NETWORK}.0.0/16 trust\n"


def missing_permission() -> str:
    """Return the reason why this machine can't have such a network; blank if it can."""
    if sys.platform != "linux" or os.geteuid() != 0:
        return "needs root on Linux"
    if not all(map(shutil.which, ("ip", "setpriv"))):
        return "needs ip and setpriv"
    name = f"masthead-{secrets.token_hex(4)}"
    if subprocess.run(["ip", "netns", "add", name], capture_output=True, check=False).returncode:
        return "this machine doesn't allow network namespaces"
    _ip("netns", "delete", name)
    return ""


class Partition:
    """The network between this machine and the server.

    :param name: the beginning of the names of its namespaces and devices, of eight characters.
    """

    def __init__(self, name: str) -> None:
        self._router, self.namespace, self._device = f"{name}-r", f"{name}-s", f"{name}-h"
        number = int(name[-2:], 16)
        here, router, other, server = (f"{_NETWORK}.{number}.{n}" for n in (1, 2, 5, 6))
        self.address = server
        self._ends = (here, server)
        self._create(here, router, other, server)

    def _create(self, here: str, router: str, other: str, server: str) -> None:
        for namespace in (self._router, self.namespace):
            _ip("netns", "add", namespace)
        in_router = ("netns", self._router)
        _ip("link", "add", self._device, "type", "veth", "peer", "name", "here", *in_router)
        to_server = ("type", "veth", "peer", "name", "there", "netns", self.namespace)
        _ip("link", "add", "server", *in_router, *to_server)
        for namespace, device, address in (
            ("", self._device, here),
            (self._router, "here", router),
            (self._router, "server", other),
            (self.namespace, "there", server),
        ):
            place = ("-n", namespace) if namespace else ()
            _ip(*place, "address", "add", f"{address}/30", "dev", device)
            _ip(*place, "link", "set", device, "up")
        _ip("route", "add", f"{server}/32", "via", router)
        _ip("-n", self.namespace, "route", "add", "default", "via", other)
        forward = "echo 1 > /proc/sys/net/ipv4/ip_forward"
        _ip("netns", "exec", self._router, "sh", "-c", forward)

    def cut(self) -> None:
        """Drop all packets of both directions."""
        for end in self._ends:
            _ip("-n", self._router, "route", "add", "blackhole", f"{end}/32")

    def mend(self) -> None:
        """Forward packets again."""
        for end in self._ends:
            _ip("-n", self._router, "route", "delete", "blackhole", f"{end}/32")

    def remove(self) -> None:
        """Remove the namespaces, and with them the devices."""
        for namespace in (self._router, self.namespace):
            subprocess.run(["ip", "netns", "delete", namespace], capture_output=True, check=False)


class RemoteServer:
    """A PostgreSQL server behind a partition; a socket reaches it without the network."""

    def __init__(self, folder: Path, partition: Partition) -> None:
        self.partition = partition
        self.url = f"postgresql://postgres@{partition.address}/postgres"
        self._folder, self._binaries = folder, find_binaries()
        user = unprivileged_user()
        assert user is not None
        os.chown(folder, user, -1)
        data, options = folder / "data", ("-k", folder, *_QUICK)
        create = [self._binaries / "initdb", "-D", data, *_OPTIONS]
        subprocess.run(create, user=user, cwd="/", capture_output=True, check=True)
        with (data / "pg_hba.conf").open("a") as file:
            file.write(_TRUSTED)
        command = ["ip", "netns", "exec", partition.namespace, "setpriv", f"--reuid={user}"]
        command += ["--clear-groups", str(self._binaries / "postgres"), "-D", str(data)]
        listening = ("-c", f"listen_addresses={partition.address}")
        self._program = Program([*command, *options, *listening], folder / "log", dict(os.environ))

    def start(self) -> None:
        """Start the server, and wait until it answers."""
        self._program.start()
        end = time.monotonic() + 30
        while True:
            try:
                self.rows("SELECT 1")
            except psycopg.OperationalError:
                assert time.monotonic() < end, self._program.log.read_text()
                time.sleep(0.05)
            else:
                return

    def stop(self) -> None:
        """End the server, also while it has clients."""
        self._program.stop(signal.SIGQUIT)

    def rows(self, statement: str) -> list[tuple[object, ...]]:
        """Execute a statement through the socket, and return its rows."""
        url = f"postgresql://postgres@/postgres?host={self._folder}"
        with psycopg.connect(url, autocommit=True) as connection:
            return connection.execute(statement).fetchall()


@contextmanager
def remote_server() -> Iterator[RemoteServer]:
    """Run a PostgreSQL server behind a partition."""
    partition = Partition(f"mh{secrets.token_hex(3)}")
    try:
        with tempfile.TemporaryDirectory(prefix="pg") as folder:
            server = RemoteServer(Path(folder), partition)
            try:
                server.start()
                yield server
            finally:
                server.stop()
    finally:
        partition.remove()


def _ip(*arguments: str) -> None:
    ended = subprocess.run(["ip", *arguments], capture_output=True, text=True, check=False)
    assert ended.returncode == 0, f"ip {' '.join(arguments)}: {ended.stderr}"
