"""The archive of Substack: a table of posts, and a page for each post."""

from __future__ import annotations

import csv
import io
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path

from masthead import Invalid
from masthead_importers.entries import POST, Entry, Export
from masthead_importers.files import MIB, is_zip, open_archive, read_member, wrong_kind
from masthead_importers.markup import link
from masthead_importers.report import Report

WANTED = "a Substack archive"
_TABLE = "posts.csv"
_LARGEST_PAGE = 16 * MIB
_EVERYONE = "everyone"
# Substack fills in these addresses when it sends or shows a post.
_BUTTON = re.compile(r"<a\b(?=[^<>]*href=\"%%)[^<>]*+>[^<]*+(?:<span>[^<]*+</span>)?</a>")


class SubstackExport(Export):
    """One or several archives of a publication."""

    format = "substack"

    def __init__(self, files: Sequence[Path]) -> None:
        super().__init__()
        self._files = files

    def entries(self, report: Report) -> Iterator[Entry]:
        """Read all posts."""
        for path in self._files:
            if not is_zip(path):
                raise wrong_kind(path, WANTED)
            with open_archive(path) as archive:
                yield from self._read(path, archive, report)

    def html(self, entry: Entry, report: Report) -> str:
        """Return the page, with the player of a podcast."""
        page, podcast = entry.source
        html = _BUTTON.sub("", page)
        if images := html.count("<img"):
            report.warn("images stay at the servers of Substack", f"{entry}: {images}")
        if podcast:
            player = f'<audio controls src="{escape(podcast)}"></audio>'
            html = f"<figure>{player}</figure><p>{link(podcast)}</p>{html}"
        return html

    def _read(self, path: Path, archive: zipfile.ZipFile, report: Report) -> Iterator[Entry]:
        names = set(archive.namelist())
        tables = [name for name in names if name.rpartition("/")[2] == _TABLE]
        if len(tables) != 1:
            raise wrong_kind(path, WANTED)
        folder = tables[0].removesuffix(_TABLE)
        text = read_member(archive, tables[0]).decode("utf-8-sig", "replace")
        for row in csv.DictReader(io.StringIO(text, newline="")):
            if not row.get("post_id"):
                raise Invalid(f"{path.name}: {_TABLE} has no column post_id")
            if row.get("type") == "thread":
                report.left_out["threads"] += 1
                continue
            page = f"{folder}posts/{row['post_id']}.html"
            content = ""
            if page in names:
                content = read_member(archive, page, _LARGEST_PAGE).decode("utf-8", "replace")
            yield self._entry(row, content, report)

    def _entry(self, row: Mapping[str, str], page: str, report: Report) -> Entry:
        number, _, slug = row["post_id"].partition(".")
        is_published = (row.get("is_published") or "").lower() == "true"
        audience = row.get("audience") or _EVERYONE
        entry = Entry(
            kind=POST,
            id=number,
            title=row.get("title") or "",
            source=(page, row.get("podcast_url") or ""),
            slug=slug,
            description=escape(row.get("subtitle") or ""),
            date=row.get("post_date") or "",
            public=is_published and audience == _EVERYONE,
            category="Podcast" if row.get("type") == "podcast" else "",
            address=f"{self.home}/p/{slug}" if slug else "",
        )
        if is_published and audience != _EVERYONE:
            report.warn("an item for subscribers becomes a draft", str(entry))
        return entry
