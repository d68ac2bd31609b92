"""Masthead with another WSGI server: granian, whose event loop is in Rust."""

from __future__ import annotations

import socket
import sys
import threading
import time

from granian import Granian
from granian.constants import Interfaces

TOO_LONG = 30.0  # seconds


def main() -> None:
    """Serve the instance of the environment on a free port, and print the address."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    threading.Thread(target=tell, args=(port,), daemon=True).start()
    Granian(
        "masthead.web.app:make_app",
        port=port,
        interface=Interfaces.WSGI,
        factory=True,
        blocking_threads=int(sys.argv[1]),
        log_enabled=False,
        workers_kill_timeout=1,
    ).serve()


def tell(port: int) -> None:
    """Print the address when the server listens."""
    deadline = time.monotonic() + TOO_LONG
    while time.monotonic() < deadline:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
        except ConnectionRefusedError:
            time.sleep(0.05)
            continue
        sys.stdout.write(f"answers at http://127.0.0.1:{port}\n")
        sys.stdout.flush()
        return


if __name__ == "__main__":
    main()
