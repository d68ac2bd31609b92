"""Ways for letters to leave, chosen by the scheme of an address."""

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


class Transport(Protocol):
    """Takes letters one at a time.

    A plugin adds some by the hook ``masthead_mail_transports``: it returns functions by the scheme
    of the address that they take, each of which makes a transport of an address and an instance.
    """

    def send(self, envelope: Envelope) -> Result:
        """Hand over a letter and say what became of it; raising counts as a try that failed."""


class FileTransport:
    """A file for each letter, such as ``a1b2c3.17@example.org.eml``.

    A letter that is sent twice, for want of an acknowledgement, replaces its first file.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def send(self, envelope: Envelope) -> Result:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = self._folder / f"{_file_name(envelope)}.eml"
        unfinished = file.with_suffix(".part")
        unfinished.write_bytes(envelope.content)
        unfinished.replace(file)
        return sent(envelope)


class LogTransport:
    """A line in the log for each letter, which goes nowhere."""

    def send(self, envelope: Envelope) -> Result:
        subject = re.search(rb"^Subject: ([^\r\n]*)", envelope.content, re.MULTILINE)
        logger.info(
            "A mail to %s: %s",
            envelope.recipient.decode(),
            subject[1].decode() if subject else "",
        )
        return sent(envelope)


def simple_transport(instance: Instance, address: str) -> Transport | None:
    """The transport for an address; None where it is that of a relay.

    :raises StartError: for an address that nothing takes.
    """
    if not address:
        return FileTransport(instance.data / "mail")
    scheme = urlsplit(address).scheme
    if scheme in ("smtp", "smtps"):
        return None
    makers: dict[str, Callable[[str, Instance], Transport]] = {
        "file": _file_transport,
        "log": lambda _address, _instance: LogTransport(),
        **_of_plugins(instance),
    }
    if scheme not in makers:
        raise StartError(f"{TRANSPORT.name}: nothing sends by {scheme}:, but {', '.join(makers)}")
    return makers[scheme](address, instance)


def _of_plugins(instance: Instance) -> Mapping[str, Callable[[str, Instance], Transport]]:
    # The hook is this plugin's own: it is there once anybody implements it.
    hook = getattr(instance.hooks, "masthead_mail_transports", None)
    found: dict[str, Callable[[str, Instance], Transport]] = {}
    for makers in hook() if hook is not None else ():
        found |= makers
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
    """A transport as the courier has it: a channel on which a letter has arrived when it goes."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._offered: Envelope | None = None
        self._results: list[Result] = []
        self.closed = False

    @property
    def can_accept(self) -> bool:
        """Whether it can take another letter."""
        return self._offered is None

    @property
    def idle(self) -> bool:
        """Whether nothing is on its way, nor told."""
        return self._offered is None and not self._results

    @property
    def has_results(self) -> bool:
        """Whether it has results to tell."""
        return bool(self._results)

    def offer(self, envelope: Envelope) -> None:
        """Give it the next letter."""
        self._offered = envelope

    def advance(self) -> None:
        """Send it."""
        envelope, self._offered = self._offered, None
        if envelope is None:
            return
        try:
            self._results.append(self._transport.send(envelope))
        # What a plugin's transport raises is as any as what a job of it raises.
        except Exception as error:
            logger.exception("A mail couldn't be sent")
            self._results.append(retried(envelope, f"{type(error).__name__}: {error}"[:300]))

    def receive(self) -> list[Result]:
        """What became of letters since it was last asked."""
        results, self._results = self._results, []
        return results

    def close(self) -> None:
        """Nothing is open."""
