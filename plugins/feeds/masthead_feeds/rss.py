"""Write RSS 2.0 with the modules for full content, authors and a feed's own address."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from email.utils import format_datetime

from masthead_feeds.xml import DECLARATION, element, escape, html_element

_NAMESPACES = {
    "atom": "http://www.w3.org/2005/Atom",
    "content": "http://purl.org/rss/1.0/modules/content/",
    "dc": "http://purl.org/dc/elements/1.1/",
}
_TTL_MINUTES = "60"


@dataclass(frozen=True)
class Attachment:
    """A file that an entry links to as its enclosure."""

    address: str
    media_type: str
    size: int
    """The number of bytes."""


@dataclass(frozen=True)
class Entry:
    """An item of a feed."""

    guid: str
    title: str
    address: str
    published_at: datetime
    summary: str
    """HTML."""
    content: str
    """HTML."""
    author: str
    language: str
    """The tag of its language; blank for that of the channel."""
    categories: Sequence[str]
    attachment: Attachment | None
    elements: Mapping[str, str]
    """The texts of additional elements, by name with prefix."""


@dataclass(frozen=True)
class Channel:
    """A feed without its entries."""

    title: str
    description: str
    address: str
    """The address of the website's page that the feed belongs to."""
    own_address: str
    """The address of the feed itself."""
    language: str
    namespaces: Mapping[str, str]
    """The namespaces of additional elements, by prefix."""


def write_rss(channel: Channel, changed_at: datetime | None, entries: Iterable[Entry]) -> bytes:
    """Return the document.

    :param changed_at: the time of the latest change; None without entries.
    """
    namespaces = {**_NAMESPACES, **channel.namespaces}
    declared = "".join(f' xmlns:{p}="{escape(uri)}"' for p, uri in namespaces.items())
    parts = [DECLARATION, f'<rss version="2.0"{declared}>\n<channel>\n']
    parts += _head(channel, changed_at)
    for entry in entries:
        parts += ("<item>\n", *_item(entry), "</item>\n")
    parts.append("</channel>\n</rss>\n")
    return "".join(parts).encode()


def _head(channel: Channel, changed_at: datetime | None) -> Iterator[str]:
    yield element("title", channel.title)
    yield element("link", channel.address)
    yield element("description", channel.description)
    own = {"rel": "self", "type": "application/rss+xml"}
    yield element("atom:link", href=channel.own_address, **own)
    if channel.language:
        yield element("language", channel.language)
    if changed_at is not None:
        yield element("lastBuildDate", _rfc822(changed_at))
    yield element("ttl", _TTL_MINUTES)


def _item(entry: Entry) -> Iterator[str]:
    yield element("title", entry.title)
    yield element("link", entry.address)
    yield element("guid", entry.guid, isPermaLink="false")
    yield element("pubDate", _rfc822(entry.published_at))
    if entry.author:
        yield element("dc:creator", entry.author)
    if entry.language:
        yield element("dc:language", entry.language)
    for category in entry.categories:
        yield element("category", category)
    for name, text in entry.elements.items():
        yield element(name, text)
    if entry.attachment is not None:
        file = entry.attachment
        attributes = {"length": str(file.size), "type": file.media_type}
        yield element("enclosure", url=file.address, **attributes)
    if entry.summary:
        yield html_element("description", entry.summary)
    if entry.content:
        yield html_element("content:encoded", entry.content)


def _rfc822(moment: datetime) -> str:
    return format_datetime(moment, usegmt=True)
