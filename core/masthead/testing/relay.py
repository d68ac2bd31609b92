"""A relay in front of a PostgreSQL server, with which a test cuts off or silences the database."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from pathlib import Path

from sqlalchemy import make_url

from masthead.testing.programs import free_port


class Relay:
    """A port that forwards to the server of a URL, which listens on a socket in the file system."""

    def __init__(self, url: str) -> None:
        self._url = make_url(url)
        folder = Path(str(self._url.query["host"]))
        self._target = str(next(folder.glob(".s.PGSQL.*[0-9]")))
        self._is_silent = threading.Event()
        self._sockets: list[socket.socket] = []
        self._port = free_port()
        self.mend()

    @property
    def url(self) -> str:
        """The URL of the database through the relay."""
        through = self._url.set(host="127.0.0.1", port=self._port, query={})
        return through.render_as_string(hide_password=False)

    def silence(self) -> None:
        """From now on accept connections and bytes, and forward none."""
        self._is_silent.set()

    def speak(self) -> None:
        """Forward bytes again; those of the silence stay lost."""
        self._is_silent.clear()

    def cut(self) -> None:
        """Close all connections and refuse new ones."""
        for each in [self._listener, *self._sockets]:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()
        self._sockets.clear()

    def mend(self) -> None:
        """Accept connections and forward all bytes, on the same port as before."""
        self.speak()
        self._listener = socket.create_server(("127.0.0.1", self._port))
        threading.Thread(target=self._accept, args=(self._listener,), daemon=True).start()

    def _accept(self, listener: socket.socket) -> None:
        with suppress(OSError):
            while True:
                client = listener.accept()[0]
                server = socket.socket(socket.AF_UNIX)
                server.connect(self._target)
                self._sockets += (client, server)
                for ends in ((client, server), (server, client)):
                    threading.Thread(target=self._forward, args=ends, daemon=True).start()

    def _forward(self, source: socket.socket, sink: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                if not self._is_silent.is_set():
                    sink.sendall(data)
            if not self._is_silent.is_set():
                sink.shutdown(socket.SHUT_RDWR)
