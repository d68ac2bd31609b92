"""MIME messages: compiled once, and filled in for each recipient in microseconds."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from email.utils import format_datetime
from typing import Protocol

from masthead_email.addresses import ascii_domain, mailbox
from masthead_email.rendering.headers import address_field, unstructured
from masthead_email.rendering.link_placeholders import CLICK, PREFERENCES, UNSUBSCRIBE
from masthead_email.rendering.placeholders import (
    Parsed,
    Placeholder,
    Section,
    parse_header,
    parse_html,
    parse_plain,
)
from masthead_email.rendering.quoted_printable import encode, encode_piece

_FIELD_NAME = re.compile(rb"^([^\s:]+):", re.MULTILINE)
_PART = (
    b'Content-Type: text/%b; charset="utf-8"\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n'
)


class Source(Protocol):
    """The fields of an outbox message that a MIME template needs."""

    @property
    def subject(self) -> str: ...
    @property
    def sender(self) -> str: ...
    @property
    def reply_to(self) -> str | None: ...
    @property
    def html(self) -> str | None: ...
    @property
    def text(self) -> str: ...
    @property
    def unsubscribe(self) -> bool: ...
    @property
    def message_id_seed(self) -> str: ...
    @property
    def created_at(self) -> datetime: ...


@dataclass(frozen=True)
class Recipient:
    """A recipient of a message, with its placeholder values."""

    number: int
    """The id of the delivery, unique per recipient."""
    address: str
    name: str
    unsubscribe: str
    """The unsubscribe link; empty if the message has none of its own."""
    values: Mapping[str, str]
    """The values of additional placeholders."""
    preferences: str = ""
    """The link to the preference page; empty as the unsubscribe link is."""
    click: str = ""
    """The token of tracked links; empty if the message has none."""


class MimeTemplate:
    """A message compiled to MIME, with gaps for placeholder values.

    :param auto_submitted: whether to mark it as automatic, so that no auto-responder replies.
    :param values: the values of placeholders that are the same for all recipients.
    """

    def __init__(
        self,
        mail: Source,
        *,
        auto_submitted: bool = False,
        values: Mapping[str, object] | None = None,
    ) -> None:
        self._values = values or {}
        domain = ascii_domain(mailbox(mail.sender).address).rpartition("@")[2]
        self._id = f"<{mail.message_id_seed}.%d@{domain}>"
        self.unsubscribe = mail.unsubscribe
        """Whether it has an unsubscribe link per recipient."""
        self._head = _common_fields(mail, domain, auto_submitted=auto_submitted)
        self._subject = parse_header(mail.subject)
        self._fixed_subject = None if self._subject.names() else self._fill_subject({})
        self._field_names = [
            *_FIELD_NAME.findall(self._head),
            *(b"To", b"Subject", b"Message-ID"),
            *((b"List-Unsubscribe", b"List-Unsubscribe-Post") if mail.unsubscribe else ()),
        ]
        self._parts: list[bytes] = []
        self._placeholders: list[Placeholder] = []
        """The distinct placeholders of the body."""
        self._gaps: list[tuple[int, int]] = []
        """The index of each part that holds a value, and the number of its placeholder."""
        self._sections: list[Section] = []
        self._compile_body(mail)
        self.tracked = any(each.name == CLICK for each in self._placeholders)
        """Whether it has tracked links."""

    def message_id(self, number: int) -> str:
        """Return the Message-ID for a recipient, identical for each attempt."""
        return self._id % number

    def fill(self, recipient: Recipient) -> bytes:
        """Return the message for a recipient: header, blank line and body with CRLF line ends.

        No line begins with a dot or is longer than 998 bytes.

        :raises ValueError: if a value would break the header.
        """
        values: dict[str, object] = {
            **self._values,
            **recipient.values,
            "name": recipient.name,
            "email": recipient.address,
        }
        if recipient.unsubscribe:
            values |= {UNSUBSCRIBE: recipient.unsubscribe, PREFERENCES: recipient.preferences}
        if recipient.click:
            values[CLICK] = recipient.click
        parts = self._parts.copy()
        encoded = [encode_piece(each.source(values)) for each in self._placeholders]
        for index, number in self._gaps:
            parts[index] = encoded[number]
        for section in self._sections:
            if section.is_left_out(values):
                parts[section.start : section.end] = [b""] * (section.end - section.start)
        return b"".join((self._fill_head(recipient, values), *parts))

    def _fill_head(self, recipient: Recipient, values: Mapping[str, object]) -> bytes:
        fields = [
            self._head,
            address_field("To", recipient.address, recipient.name),
            self._fixed_subject or self._fill_subject(values),
            b"Message-ID: %b\r\n" % self.message_id(recipient.number).encode(),
        ]
        if self.unsubscribe:
            # Neither folded nor encoded, because some clients read the link as one line.
            fields.append(b"List-Unsubscribe: <%b>\r\n" % recipient.unsubscribe.encode("ascii"))
            fields.append(b"List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n")
        head = b"".join(fields)
        if _FIELD_NAME.findall(head) != self._field_names:
            raise ValueError("A value would add or remove a header field")
        return head

    def _fill_subject(self, values: Mapping[str, object]) -> bytes:
        return unstructured("Subject", self._subject.filled(values))

    def _compile_body(self, mail: Source) -> None:
        if mail.html is None:
            self._parts.append(_PART % b"plain")
            self._add(parse_plain(mail.text))
            self._parts.append(b"\r\n")
            return
        # Quoted-printable text can't contain "=_".
        boundary = f"=_{mail.message_id_seed}".encode()
        between = b"\r\n--%b" % boundary
        kind = b'Content-Type: multipart/alternative; boundary="%b"\r\n' % boundary
        self._parts.append(kind + between + b"\r\n" + _PART % b"plain")
        self._add(parse_plain(mail.text))
        self._parts.append(between + b"\r\n" + _PART % b"html")
        self._add(parse_html(mail.html))
        self._parts.append(between + b"--\r\n")

    def _add(self, parsed: Parsed) -> None:
        first = len(self._parts)
        *pieces, last = parsed.pieces
        numbers = {each: number for number, each in enumerate(self._placeholders)}
        for piece in pieces:
            if isinstance(piece, Placeholder):
                if piece not in numbers:
                    numbers[piece] = len(self._placeholders)
                    self._placeholders.append(piece)
                self._gaps.append((len(self._parts), numbers[piece]))
            self._parts.append(b"" if isinstance(piece, Placeholder) else encode_piece(piece))
        self._parts.append(encode(str(last)))
        for section in parsed.sections:
            moved = (first + section.start, first + section.end)
            self._sections.append(Section(section.name, section.inverted, *moved))


def _common_fields(mail: Source, domain: str, *, auto_submitted: bool) -> bytes:
    """Return the header fields that are the same for all recipients."""
    sender = mailbox(mail.sender)
    fields = [
        b"MIME-Version: 1.0\r\n",
        b"Date: %b\r\n" % format_datetime(mail.created_at).encode(),
        address_field("From", sender.address, sender.name),
    ]
    # A non-ASCII address in the header would require a relay with SMTPUTF8.
    if mail.reply_to and ascii_domain(mail.reply_to).isascii():
        fields.append(address_field("Reply-To", mail.reply_to, None))
    if auto_submitted:
        fields.append(b"Auto-Submitted: auto-generated\r\n")
    if mail.unsubscribe:
        fields.append(b"List-Id: <newsletter.%b>\r\n" % domain.encode())
    return b"".join(fields)
