"""Write the sitemap: the pages of the website and all published content."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from io import BytesIO

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from masthead import (
    Instance,
    NotFound,
    PublicReader,
    User,
    api_address,
    content_types_of,
    item_address,
    site_address,
    utcnow,
)
from masthead_feeds.settings import SITEMAP_SIZE
from masthead_feeds.xml import DECLARATION, escape

_SCHEMA = "http://www.sitemaps.org/schemas/sitemap/0.9"
_MAX_BYTES = 50_000_000
_LONGEST_SLUG = "x" * 80
_MAX_MARKUP = 200
"""The number of bytes of an entry beside its address, rounded up."""


@dataclass(frozen=True)
class Page:
    """A page that is not an item of a content type."""

    path: str
    changed_at: datetime
    frequency: str
    priority: str
    on_api: bool = False


class SitemapWriter:
    """The writer of the sitemap, which is split into parts if it is too long."""

    def __init__(self, instance: Instance) -> None:
        self._instance = instance
        self._settings = instance.settings
        names = ("slug", "changedAt", "scheduledPublishAt")
        self._readers = {
            content_type.name: PublicReader(content_type, instance.database, names)
            for content_type in content_types_of(instance)
        }
        longest = max(
            (len(self._address(name, _LONGEST_SLUG)) for name in self._readers), default=0
        )
        self._size = min(instance.settings[SITEMAP_SIZE], _MAX_BYTES // (longest + _MAX_MARKUP))

    def write(self, session: Session) -> bytes:
        """Return the whole sitemap, or the index of its parts."""
        pages, counts = self._pages(session), self._counts(session)
        parts = self._parts(pages, counts)
        if parts > 1:
            return self._index(parts)
        return self._part(session, pages, counts, 0)

    def write_part(self, session: Session, number: int) -> bytes:
        """Return a part of the sitemap.

        :param number: the number of the part, from 1.
        :raises NotFound: if the index has no such part.
        """
        pages, counts = self._pages(session), self._counts(session)
        parts = self._parts(pages, counts)
        if parts == 1 or number > parts:
            raise NotFound
        return self._part(session, pages, counts, (number - 1) * self._size)

    def _address(self, name: str, slug: str) -> str:
        return escape(item_address(self._settings, name, slug))

    def _counts(self, session: Session) -> dict[str, int]:
        connection = session.connection()
        return {name: reader.count(connection) for name, reader in self._readers.items()}

    def _parts(self, pages: list[Page], counts: dict[str, int]) -> int:
        return -(-(len(pages) + sum(counts.values())) // self._size)

    def _pages(self, session: Session) -> list[Page]:
        """Return the home page, the sections of the website and the pages of plugins."""
        connection = session.connection()
        changes = {name: reader.last_change(connection) for name, reader in self._readers.items()}
        answers = self._instance.hooks.masthead_sitemap(session=session)
        entries = [entry for answer in answers for entry in answer]
        offered = {entry.path: entry.changed_at for entry in entries}
        # Each entry needs a date. A page whose changes aren't known is as old as the instance.
        since = session.scalar(select(func.min(User.created_at))) or utcnow()
        latest = max(filter(None, (*changes.values(), *offered.values())), default=since)
        pages = {"/": Page("/", latest, "daily", "1.0")}
        for section in self._instance.navigation:
            changed = offered.get(section.path) or changes.get(section.name) or since
            pages.setdefault(section.path, Page(section.path, changed, "weekly", "0.8"))
        for entry in entries:
            changed = entry.changed_at or since
            page = Page(entry.path, changed, "monthly", "0.7", on_api=entry.on_api)
            pages.setdefault(entry.path, page)
        return list(pages.values())

    def _index(self, parts: int) -> bytes:
        paths = (f"/sitemap-{number}.xml" for number in range(1, parts + 1))
        addresses = (escape(api_address(self._settings, path)) for path in paths)
        lines = (f"<sitemap><loc>{address}</loc></sitemap>\n" for address in addresses)
        return _document("sitemapindex", lines)

    def _part(
        self, session: Session, pages: list[Page], counts: dict[str, int], start: int
    ) -> bytes:
        first = pages[start : start + self._size]
        skipped, left = max(0, start - len(pages)), self._size - len(first)

        def lines() -> Iterator[str]:
            nonlocal skipped, left
            for page in first:
                find = api_address if page.on_api else site_address
                address = escape(find(self._settings, page.path))
                yield _line(address, page.changed_at, page.frequency, page.priority)
            for name, count in counts.items():
                taken = min(left, max(0, count - skipped))
                yield from self._items(session, name, taken, skipped) if taken else ()
                skipped, left = max(0, skipped - count), left - taken

        return _document("urlset", lines())

    def _items(self, session: Session, name: str, limit: int, offset: int) -> Iterator[str]:
        address = self._address(name, "{slug}")
        for item in self._readers[name].read_page(session.connection(), limit, offset):
            changed, due = item["changedAt"], item["scheduledPublishAt"]
            seen = max(changed, due or changed)
            yield _line(address.replace("{slug}", item["slug"]), seen, "monthly", "0.7")


def _line(address: str, changed_at: datetime, frequency: str, priority: str) -> str:
    return (
        f"<url><loc>{address}</loc><lastmod>{changed_at.date().isoformat()}</lastmod>"
        f"<changefreq>{frequency}</changefreq><priority>{priority}</priority></url>\n"
    )


def _document(root: str, lines: Iterable[str]) -> bytes:
    """Return a document; it is encoded line by line, so that memory holds it only once."""
    written = BytesIO()
    written.write(f'{DECLARATION}<{root} xmlns="{_SCHEMA}">\n'.encode())
    for line in lines:
        written.write(line.encode())
    written.write(f"</{root}>\n".encode())
    return written.getvalue()
