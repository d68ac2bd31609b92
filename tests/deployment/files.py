"""The files of config/deploy/cluster, with the addresses and paths of a test."""

from __future__ import annotations

import random
import secrets
import socket
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "config" / "deploy" / "cluster"
DATABASE_PASSWORD = secrets.token_hex(16)
_DOCUMENTED = "10.0.0."
_OF_TESTS = {
    # Port 443 needs privileges, and a certificate.
    ":443 ssl crt /etc/haproxy/api.example.org.pem alpn h2,http/1.1": ":8443",
    "X-Forwarded-Proto https": "X-Forwarded-Proto http",
    "smtp://10.0.0.41:587": "smtp://10.0.0.41:2587",
    # The user of the tests isn't called postgres.
    "peer": "trust",
    # Connections within the loopback network come from its first address.
    "10.0.0.0/24": "127.0.0.0/8",
    "trusted_proxies = 10.0.0.1": "trusted_proxies = 127.0.0.1",
    "scrape_interval: 15s": "scrape_interval: 1s",
    # The start warns of passwords in examples.
    '"masthead" "password"': f'"masthead" "{DATABASE_PASSWORD}"',
    "masthead:password@": f"masthead:{DATABASE_PASSWORD}@",
}


class Files:
    """The files, in which the machines have addresses of the loopback network.

    Their ports are those of the files, so the network is one that nothing else uses.
    """

    def __init__(self) -> None:
        self.network = _free_network()

    def address(self, number: int) -> str:
        """Return the address of a machine of the files, such as 11 for 10.0.0.11."""
        return f"{self.network}{number}"

    def read(self, name: str, paths: Mapping[str, str] | None = None, address: str = "") -> str:
        """Return the text of a file for this machine.

        :param paths: paths of the file, and those of the test.
        :param address: the address to listen on, for files that name all addresses.
        """
        text = (FOLDER / name).read_text("utf-8")
        for ours, theirs in {**_OF_TESTS, **(paths or {})}.items():
            text = text.replace(ours, theirs)
        for everywhere in ("listen_addr = *", "listen_addresses = '*'"):
            text = text.replace(everywhere, everywhere.replace("*", address))
        return text.replace(_DOCUMENTED, self.network)

    def write(self, name: str, to: Path, paths: Mapping[str, str], address: str = "") -> Path:
        """Write a file for this machine, and return its path."""
        to.write_text(self.read(name, paths, address), "utf-8")
        return to


def _free_network() -> str:
    for number in random.sample(range(1, 255), 50):
        with suppress(OSError), socket.create_server((f"127.0.{number}.1", 8443)):
            return f"127.0.{number}."
    raise RuntimeError("no network of the loopback interface is free")
