"""The ports and the start of programs in processes of their own."""

from __future__ import annotations

import socket
from contextlib import ExitStack

from masthead.testing.programs import free_port


def test_each_call_returns_another_port_on_which_nobody_listens() -> None:
    with ExitStack() as listening:
        ports = set()
        for _ in range(30):
            port = free_port()
            listening.enter_context(socket.create_server(("127.0.0.1", port)))
            ports.add(port)

    assert len(ports) == 30
