"""The IMAP mailbox that receives bounces, and the chore that reads it."""

from __future__ import annotations

import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from urllib.parse import parse_qs, unquote, urlsplit

from imapclient import IMAPClient
from imapclient.exceptions import IMAPClientError

from masthead import Instance
from masthead_email.bounces.parts import MAX_SIZE
from masthead_email.bounces.sources import Incoming

INTERVAL = timedelta(minutes=5)
_TIMEOUT = 30.0
_SCHEMES = {"imap": 143, "imaps": 993, "imap+ssl": 993}
_EXAMPLE = "an address such as imaps://user:password@mail.example.org/INBOX"
_DONE = "Processed"


class MailboxError(Exception):
    """The mailbox can't be read; the text is one line without the password."""


@dataclass(frozen=True)
class Mailbox:
    """A mailbox on an IMAP server."""

    host: str
    port: int
    tls: bool
    """Whether the connection begins with TLS."""
    starttls: bool
    user: str
    password: str = field(repr=False)
    folder: str
    done: str
    """The folder that finished messages are moved to."""
    authority: str | None
    """A file of CA certificates that replaces the system's."""


def read_mailbox(value: str) -> Mailbox | None:
    """Parse ``imaps://user:password@host:993/INBOX?done=Processed``; None if it is blank.

    :raises ValueError: describes the expected format without quoting the address.
    """
    if not value.strip():
        return None
    try:
        parts = urlsplit(value.strip())
        port = parts.port or _SCHEMES[parts.scheme]
    except (ValueError, KeyError):
        raise ValueError(_EXAMPLE) from None
    if not parts.hostname or not parts.username:
        raise ValueError(_EXAMPLE)
    options = {name: values[-1] for name, values in parse_qs(parts.query).items()}
    done, authority = options.pop("done", _DONE), options.pop("authority", None)
    starttls = options.pop("tls", "none")
    wrapped = parts.scheme != "imap"
    if options or starttls not in ("none", "starttls") or (wrapped and starttls != "none"):
        raise ValueError("no options but done=folder, tls=starttls (of imap) and authority=/file")
    return Mailbox(
        host=parts.hostname,
        port=port,
        tls=wrapped,
        starttls=starttls == "starttls",
        user=unquote(parts.username),
        password=unquote(parts.password or ""),
        folder=unquote(parts.path.strip("/")) or "INBOX",
        done=done,
        authority=authority,
    )


def read_messages(mailbox: Mailbox) -> Iterator[Incoming]:
    """Yield the messages of a mailbox; one that is finished moves to the other folder.

    :raises MailboxError: if the server can't be reached, or refuses a command.
    """
    with _errors(mailbox), _connect(mailbox) as client:
        client.login(mailbox.user, mailbox.password)
        client.select_folder(mailbox.folder)
        if not client.folder_exists(mailbox.done):
            client.create_folder(mailbox.done)
        for number in client.search("UNDELETED"):
            yield Incoming(
                f"message {number} of {mailbox.folder}",
                _fetch(client, number),
                partial(_move, client, number, mailbox.done),
            )


def _connect(mailbox: Mailbox) -> IMAPClient:
    context = ssl.create_default_context(cafile=mailbox.authority)
    client = IMAPClient(
        mailbox.host,
        mailbox.port,
        ssl=mailbox.tls,
        ssl_context=context if mailbox.tls else None,
        timeout=_TIMEOUT,
    )
    if mailbox.starttls:
        try:
            client.starttls(context)
        except BaseException:
            client.shutdown()
            raise
    return client


def _fetch(client: IMAPClient, number: int) -> bytes | None:
    """Return a message without marking it as read; None if it is too large."""
    size = client.fetch([number], ["RFC822.SIZE"]).get(number, {}).get(b"RFC822.SIZE", 0)
    if size > MAX_SIZE:
        return None
    found = client.fetch([number], ["BODY.PEEK[]"]).get(number, {})
    return bytes(found.get(b"BODY[]") or b"")


def _move(client: IMAPClient, number: int, folder: str) -> None:
    if client.has_capability("MOVE"):
        client.move([number], folder)
        return
    client.copy([number], folder)
    client.delete_messages([number])
    # A plain EXPUNGE would also remove messages that others have marked as deleted.
    if client.has_capability("UIDPLUS"):
        client.uid_expunge([number])


@contextmanager
def _errors(mailbox: Mailbox) -> Iterator[None]:
    try:
        yield
    except (IMAPClientError, OSError) as error:
        words = " ".join(str(error).split()) or type(error).__name__
        raise MailboxError(f"the mailbox at {mailbox.host}:{mailbox.port}: {words}") from error


def poll(
    instance: Instance,
    mailbox: Mailbox,
    process: Callable[[Instance, bytes], object],
    may_go_on: Callable[[], bool],
) -> bool:
    """Process the messages of a mailbox as long as the worker may; return whether some are left.

    A message that is too large is moved, too; nothing is recorded for it.
    """
    for incoming in read_messages(mailbox):
        if not may_go_on():
            return True
        if incoming.octets is not None:
            process(instance, incoming.octets)
        incoming.finish()
    return False
