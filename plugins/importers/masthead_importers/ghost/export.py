"""The export of Ghost: posts and pages with their tags, authors and images."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from masthead import ForeignAuthor, Invalid
from masthead_importers.addresses import split_address
from masthead_importers.entries import PAGE, POST, Entry, Export
from masthead_importers.files import LARGEST_IN_MEMORY, MIB, open_streams, wrong_kind
from masthead_importers.ghost.lexical import write_lexical
from masthead_importers.ghost.mobiledoc import write_mobiledoc
from masthead_importers.report import Report

WANTED = "a Ghost export"
_PLACEHOLDER = "__GHOST_URL__"
"""Stands for the address of the website in exports."""
Row = Mapping[str, Any]


class GhostExport(Export):
    """One or several JSON files of a website."""

    format = "ghost"
    media_markers = ("/content/images/", "/content/files/", "/content/media/")

    def __init__(self, files: Sequence[Path]) -> None:
        super().__init__()
        self._files = files
        self._alt_texts: dict[str, str] = {}

    def entries(self, report: Report) -> Iterator[Entry]:
        """Read all posts and pages."""
        for path in self._files:
            for data in _read(path):
                yield from self._read_data(data, report)

    def html(self, entry: Entry, report: Report) -> str:
        """Return the content, rendered if the export doesn't contain it as HTML."""

        def unknown(kind: str) -> None:
            report.warn(f"a part of an unknown kind is removed: {kind}", str(entry))

        post: Row = entry.source
        if post.get("html"):
            html = str(post["html"])
        elif post.get("lexical"):
            html = write_lexical(_document(post["lexical"]), unknown)
        else:
            html = write_mobiledoc(_document(post.get("mobiledoc")), unknown)
        return self._located(html)

    def alt_text(self, address: str) -> str | None:
        """Return the alternative text of a feature image."""
        return self._alt_texts.get(split_address(address).path)

    def _located(self, text: str) -> str:
        return text.replace(_PLACEHOLDER, self.home)

    def _read_data(self, data: Row, report: Report) -> Iterator[Entry]:
        tags = {row.get("id"): row for row in _rows(data, "tags")}
        tagged, written = (
            _linked(data, "posts_tags", "tag_id"),
            _linked(data, "posts_authors", "author_id"),
        )
        for user in _rows(data, "users"):
            self._note_author(user)
        self._note_alt_texts(data)
        for post in _rows(data, "posts"):
            names = [tags[each] for each in tagged[post.get("id")] if each in tags]
            authors = written[post.get("id")] or [post.get("author_id")]
            yield self._entry(
                post, [_text(each, "name") for each in names], str(authors[0]), report
            )

    def _entry(self, post: Row, tags: list[str], author: str, report: Report) -> Entry:
        status, slug = _text(post, "status"), _text(post, "slug")
        is_page = post.get("type") == "page" or post.get("page") in (1, True)
        # Names of internal tags begin with "#" and are never shown.
        shown = [tag for tag in tags if not tag.startswith("#")]
        visibility = _text(post, "visibility") or "public"
        entry = Entry(
            kind=PAGE if is_page else POST,
            id=str(post.get("id", slug)),
            title=_text(post, "title"),
            source=post,
            slug=slug,
            description=_text(post, "custom_excerpt"),
            date=str(post.get("published_at") or ""),
            public=status in ("published", "scheduled") and visibility == "public",
            scheduled=status == "scheduled",
            category=shown[0] if shown else "",
            tags=shown[1:],
            author=author,
            image=self._located(_text(post, "feature_image")),
            address=f"{self.home}/{slug}/",
        )
        if visibility != "public":
            report.warn("an item for members becomes a draft", str(entry))
        elif status == "sent":
            report.warn("an item that was only sent by e-mail becomes a draft", str(entry))
        return entry

    def _note_author(self, user: Row) -> None:
        key = str(user.get("id"))
        self.authors[key] = ForeignAuthor(
            key=key, name=_text(user, "name"), email=_text(user, "email")
        )

    def _note_alt_texts(self, data: Row) -> None:
        """Note the alternative texts of the posts' images."""
        images = {row.get("id"): _text(row, "feature_image") for row in _rows(data, "posts")}
        for meta in _rows(data, "posts_meta"):
            address = self._located(images.get(meta.get("post_id"), ""))
            if alt_text := _text(meta, "feature_image_alt"):
                self._alt_texts[split_address(address).path] = alt_text


def _read(path: Path) -> Iterator[Row]:
    """Yield the tables of each database in a file."""
    found = False
    with open_streams(path, ".json", "Reading") as streams:
        for name, stream in streams:
            pieces, size = [], 0
            while piece := stream.read(MIB):
                pieces.append(piece)
                size += len(piece)
                if size > LARGEST_IN_MEMORY:
                    raise Invalid(f"{name} is larger than {LARGEST_IN_MEMORY // MIB} MiB")
            for data in _databases(path, name, b"".join(pieces)):
                found = True
                yield data
    if not found:
        raise wrong_kind(path, WANTED)


def _databases(path: Path, name: str, content: bytes) -> Iterator[Row]:
    if not content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        raise wrong_kind(path, WANTED)
    try:
        document = json.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise Invalid(f"{name} is damaged: {' '.join(str(error).split())}") from None
    databases = document.get("db", [document])
    for database in databases if isinstance(databases, list) else ():
        data = database.get("data") if isinstance(database, dict) else None
        if isinstance(data, dict) and isinstance(data.get("posts"), list):
            yield data


def _rows(data: Row, table: str) -> list[Row]:
    rows = data.get(table)
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []


def _linked(data: Row, table: str, column: str) -> dict[Any, list[Any]]:
    """Return the values of a table of links by post, in their order."""
    linked: dict[Any, list[Any]] = defaultdict(list)
    for row in sorted(_rows(data, table), key=_position):
        linked[row.get("post_id")].append(row.get(column))
    return linked


def _position(row: Row) -> int:
    position = row.get("sort_order")
    return position if isinstance(position, int) else 0


def _text(row: Row, name: str) -> str:
    value = row.get(name)
    return value if isinstance(value, str) else ""


def _document(text: Any) -> Any:
    try:
        return json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        return None
