"""The port of the metrics, opened before the server processes are forked."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager

import click

from masthead.server.serving import address_of, listen


@contextmanager
def scrape_port(wanted: tuple[str, int] | None) -> Iterator[socket.socket | None]:
    """Open the port and print its address; yield None if none is wanted.

    :raises StartError: if it can't be opened.
    """
    if wanted is None:
        yield None
        return
    with listen(*wanted) as listener:
        click.echo(f"Metrics are at {address_of(listener)}/metrics")
        yield listener
