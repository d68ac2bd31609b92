"""Transports, chosen by the scheme of a URL."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Protocol
from urllib.parse import unquote, urlsplit

from masthead import Instance, StartError
from masthead_email.results import Envelope, Result, retried, sent
from masthead_email.settings import TRANSPORT

logger = logging.getLogger(__name__)

_RELAY_SCHEMES = ("smtp", "smtps")


class Transport(Protocol):
    """Sends one message at a time.

    A plugin adds transports by the hook ``masthead_mail_transports``, which returns a mapping of
    URL schemes to factories. A factory takes the URL and the instance, and returns a transport.
    """

    def send(self, envelope: Envelope) -> Result:
        """Send a message and return the result; an exception counts as a transient failure."""


class FileTransport:
    """Writes a file per message, such as ``a1b2c3.17@example.org.eml``.

    A message that is sent again overwrites its file, since the Message-ID names it.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def send(self, envelope: Envelope) -> Result:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = self._folder / f"{_file_name(envelope)}.eml"
        unfinished = file.with_suffix(".part")
        unfinished.touch(mode=0o600)
        unfinished.write_bytes(envelope.content)
        unfinished.replace(file)
        return sent(envelope)


class LogTransport:
    """Logs a line per message, and delivers none."""

    def send(self, envelope: Envelope) -> Result:
        subject = re.search(rb"^Subject: ([^\r\n]*)", envelope.content, re.MULTILINE)
        logger.info(
            "A mail to %s: %s",
            envelope.recipient.decode(),
            subject[1].decode() if subject else "",
        )
        return sent(envelope)


def simple_transport(instance: Instance, address: str) -> Transport | None:
    """Return the transport for a URL; None for the URL of a relay.

    :raises StartError: if no transport handles the scheme.
    """
    if not address:
        return FileTransport(instance.data / "mail")
    scheme = urlsplit(address).scheme
    if scheme in _RELAY_SCHEMES:
        return None
    factories: dict[str, Callable[[str, Instance], Transport]] = {
        "file": _file_transport,
        "log": lambda _address, _instance: LogTransport(),
        **_plugin_transports(instance),
    }
    if scheme not in factories:
        known = ", ".join((*_RELAY_SCHEMES, *factories))
        raise StartError(f"{TRANSPORT.name}: no transport for {scheme}:; known are {known}")
    return factories[scheme](address, instance)


def _plugin_transports(instance: Instance) -> Mapping[str, Callable[[str, Instance], Transport]]:
    # This plugin asks the hook, but core doesn't declare it: it exists once implemented.
    hook = getattr(instance.hooks, "masthead_mail_transports", None)
    found: dict[str, Callable[[str, Instance], Transport]] = {}
    for factories in hook() if hook is not None else ():
        found |= factories
    return found


def _file_transport(address: str, _instance: Instance) -> Transport:
    folder = unquote(urlsplit(address).path)
    if not folder:
        raise StartError(f"{TRANSPORT.name}: expected a folder, as in file:///var/mail/out")
    return FileTransport(Path(folder))


def _file_name(envelope: Envelope) -> str:
    found = re.search(rb"^Message-ID: <([\w.@+-]+)>", envelope.content, re.MULTILINE)
    return found[1].decode() if found else f"{os.getpid()}-{envelope.delivery_id}"


class SequentialChannel:
    """Adapts a transport to the dispatcher: it sends and knows the result in ``advance()``."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._next_envelope: Envelope | None = None
        self._results: list[Result] = []
        self.closed = False

    @property
    def can_accept(self) -> bool:
        """Whether it can take another envelope."""
        return self._next_envelope is None

    @property
    def idle(self) -> bool:
        """Whether nothing is in transit and no result is pending."""
        return self._next_envelope is None and not self._results

    @property
    def has_results(self) -> bool:
        """Whether results are pending."""
        return bool(self._results)

    def offer(self, envelope: Envelope) -> None:
        """Set the next envelope."""
        self._next_envelope = envelope

    def advance(self) -> None:
        """Send the envelope that was offered."""
        envelope, self._next_envelope = self._next_envelope, None
        if envelope is None:
            return
        try:
            self._results.append(self._transport.send(envelope))
        # A plugin's transport may raise anything, as its jobs may.
        except Exception as error:
            logger.exception("The transport failed to send a message")
            self._results.append(retried(envelope, f"{type(error).__name__}: {error}"[:300]))

    def receive(self) -> list[Result]:
        """Return the results since the last call."""
        results, self._results = self._results, []
        return results

    def close(self) -> None:
        """Do nothing: a transport keeps no connection open."""
