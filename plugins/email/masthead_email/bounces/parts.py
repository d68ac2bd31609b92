"""Parsing a message into its parts, however badly it is formed."""

from __future__ import annotations

import re
from email import message_from_bytes, message_from_string
from email.errors import MessageError
from email.header import decode_header, make_header
from email.message import Message
from email.parser import BytesHeaderParser

from masthead import plain_text

MAX_SIZE = 10 * 1024 * 1024
"""The maximum number of bytes of a message."""
_MAX_PARTS = 100
_MAX_TEXT = 64 * 1024
"""The maximum number of characters of a part that are read."""
_BLANK = re.compile(r"\n[ \t]*\n")

Fields = dict[str, str]


def parse(octets: bytes) -> Message:
    """Parse a message; of one that is nested too deeply, only the header is parsed."""
    octets = octets[:MAX_SIZE].lstrip(b"\r\n")
    try:
        return message_from_bytes(octets)
    except (RecursionError, MessageError):
        return BytesHeaderParser().parsebytes(octets[:_MAX_TEXT])


def split(message: Message) -> tuple[list[Message], list[Message]]:
    """Return the parts of a message that have content, and the messages attached to it.

    Parts of attached messages are excluded.
    """
    parts: list[Message] = []
    attached: list[Message] = []
    waiting = [message]
    while waiting and len(parts) + len(attached) < _MAX_PARTS:
        part = waiting.pop()
        inner = _inner(part)
        if part.get_content_type() in ("message/rfc822", "message/global") and inner:
            attached += inner[:1]
        elif part.get_content_maintype() == "multipart" and inner:
            waiting += reversed(inner)
        else:
            parts.append(part)
    return parts, attached


def text_of(part: Message) -> str:
    """Return the text of a part, decoded; unknown characters are replaced."""
    if part.is_multipart():
        # The fields of message/delivery-status and similar types are parsed as messages.
        text = "\n".join(_source(each) for each in _inner(part)[:_MAX_PARTS])
        encoding = str(part.get("Content-Transfer-Encoding", "")).strip().lower()
        if encoding in ("base64", "quoted-printable"):
            encoded = message_from_string(
                f"Content-Transfer-Encoding: {encoding}\n\n{text.strip()}"
            )
            return text_of(encoded)
        return text[:_MAX_TEXT]
    octets = part.get_payload(decode=True)
    if not isinstance(octets, bytes):
        return ""
    try:
        text = octets.decode(part.get_content_charset() or "utf-8", "replace")
    except (LookupError, ValueError):
        text = octets.decode("utf-8", "replace")
    text = text[:_MAX_TEXT].replace("\r\n", "\n").replace("\r", "\n")
    return plain_text(text) if part.get_content_type() == "text/html" else text


def field(message: Message, name: str) -> str:
    """Return the first field with a name on one line, decoded; blank if there is none."""
    found = (value for key, value in message.raw_items() if key.lower() == name.lower())
    # Bytes that aren't ASCII are surrogates here.
    raw = str(next(found, "")).encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    try:
        decoded = str(make_header(decode_header(raw)))
    except (ValueError, LookupError, MessageError):
        decoded = raw
    return " ".join(decoded.split())


def fields(text: str) -> list[Fields]:
    """Return the groups of fields in a text, with their names in lower case."""
    groups = []
    for block in _BLANK.split(text.strip())[:_MAX_PARTS]:
        group: Fields = {}
        name = ""
        for line in block.split("\n"):
            if line[:1] in (" ", "\t") and name:
                group[name] += " " + line.strip()
            elif ":" in line:
                name, _, value = line.partition(":")
                name = name.strip().lower()
                group.setdefault(name, value.strip())
        groups.append(group)
    return groups


def _inner(part: Message) -> list[Message]:
    """Return the parts inside a part."""
    payload = part.get_payload() if part.is_multipart() else []
    return [each for each in payload if isinstance(each, Message)]


def _source(part: Message) -> str:
    """Return the lines of a part as they were, without a guess at its structure."""
    header = "\n".join(f"{name}: {value}" for name, value in part.raw_items())
    if part.is_multipart():
        body = "\n".join(_source(each) for each in _inner(part)[:_MAX_PARTS])
    else:
        octets = part.get_payload(decode=True)
        body = octets.decode("utf-8", "replace") if isinstance(octets, bytes) else ""
    return f"{header}\n\n{body}" if header else body
