"""A real nginx with the shipped site in front of a server."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from masthead.testing.programs import free_port
from tests.deployment.programs import Program, find, listens, wait_until

_SITE = Path(__file__).parents[2] / "config" / "deploy" / "nginx.conf"
_MAIN = """
daemon off;
master_process off;
pid {folder}/pid;
events {{}}
http {{
    client_body_temp_path {folder}/bodies;
    proxy_temp_path {folder}/proxied;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/site.conf;
}}
"""


class Nginx(NamedTuple):
    """A running nginx."""

    pid: int
    port: int
    """Its port on 127.0.0.1."""
    certificate: Path
    """Its certificate, which is valid for that address."""


@contextmanager
def running_nginx(folder: Path, server: str) -> Iterator[Nginx]:
    """Run nginx in front of a server.

    :param server: the server's address and port, such as ``127.0.0.1:6543``; it doesn't have to
        run yet.
    """
    folder.mkdir()
    port = free_port()
    _write_site(folder, port, server)
    log = folder / "error.log"
    command = [find("nginx") or "nginx", "-p", folder, "-c", "nginx.conf", "-e", log]
    nginx = Program(command, log, os.environ)
    nginx.start()
    try:
        wait_until(lambda: listens("127.0.0.1", port), log)
        yield Nginx(nginx.pid, port, folder / "certificate")
    finally:
        nginx.stop()


def _write_site(folder: Path, port: int, server: str) -> None:
    """Write the shipped site with other ports and files, and a certificate."""
    text = _SITE.read_text("utf-8")
    for ours, theirs in {
        "listen 443 ssl;": f"listen 127.0.0.1:{port} ssl;",
        "    listen [::]:443 ssl;\n": "",
        "/etc/ssl/certs/api.example.org.pem": f"{folder}/certificate",
        "/etc/ssl/private/api.example.org.key": f"{folder}/key",
        "127.0.0.1:6543;": f"{server};",
    }.items():
        assert text.count(ours) == 1, ours
        text = text.replace(ours, theirs)
    (folder / "site.conf").write_text(text)
    (folder / "nginx.conf").write_text(_MAIN.format(folder=folder))
    subject = ("-subj", "/CN=api.example.org", "-addext", "subjectAltName=IP:127.0.0.1")
    curve = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1")
    files = ("-keyout", folder / "key", "-out", folder / "certificate")
    command = ["openssl", "req", "-x509", *curve, *subject, *files]
    subprocess.run(command, check=True, capture_output=True)
