"""The export of WordPress: posts and pages with their categories, tags, authors and images."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from masthead import ForeignAuthor
from masthead_importers.addresses import split_address
from masthead_importers.entries import PAGE, POST, Entry, Export
from masthead_importers.report import Report
from masthead_importers.wordpress.blocks import has_blocks, write_bare_addresses, write_blocks
from masthead_importers.wordpress.paragraphs import add_paragraphs
from masthead_importers.wordpress.permalinks import check_structure, permalink
from masthead_importers.wordpress.shortcodes import Shortcodes
from masthead_importers.wordpress.xml import children, local_name, read_elements

_KINDS = {"post": POST, "page": PAGE}
_STATUSES = frozenset({"publish", "future", "draft", "pending", "private"})
"""The statuses of posts that are imported; others are those of deleted and unsaved posts."""
_NO_CATEGORY = "uncategorized"
_SYNCED = "wp_block"
_NO_TIME = "0000-00-00 00:00:00"


class WordPressExport(Export):
    """One or several WXR files of a website."""

    format = "wordpress"
    media_markers = ("/wp-content/uploads/", "/files/")

    def __init__(self, files: Sequence[Path], permalinks: str, zone: tzinfo) -> None:
        super().__init__()
        self._files = files
        self._permalinks = check_structure(permalinks)
        self._zone = zone
        self._images: dict[str, tuple[str, str]] = {}
        """The address and the alternative text of each image by id."""
        self._alt_texts: dict[str, str] = {}
        self._attached: dict[str, list[str]] = defaultdict(list)
        """The ids of the images of each post."""
        self._synced: dict[str, str] = {}
        """The content of synced blocks by id."""
        self._shortcodes = Shortcodes(self._images.get, lambda post: self._attached.get(post, []))

    def entries(self, report: Report) -> Iterator[Entry]:
        """Read all posts and pages; note images, authors and synced blocks."""
        for path in self._files:
            for element in read_elements(path):
                name = local_name(element)
                if name == "item":
                    yield from self._read_item(element, report)
                elif name == "author":
                    self._note_author(children(element))
                elif not self.home:
                    self.home = (element.text or "").strip().rstrip("/")

    def html(self, entry: Entry, report: Report) -> str:
        """Return the content with paragraphs, without comments of blocks and shortcodes."""
        text: str = entry.source
        is_classic = not has_blocks(text)
        if is_classic:
            text = write_bare_addresses(text)
        else:
            text = write_blocks(text, self._synced.get, entry.id, report)
        text = self._shortcodes.replace(text, entry.id, report)
        return add_paragraphs(text) if is_classic else text

    def alt_text(self, address: str) -> str | None:
        """Return the alternative text of an uploaded image."""
        return self._alt_texts.get(split_address(address).path)

    def _read_item(self, item: Any, report: Report) -> Iterator[Entry]:
        values = children(item)
        kind, status = values.get("wp:post_type", ""), values.get("wp:status", "")
        if kind == "attachment":
            self._note_attachment(item, values)
        elif kind == _SYNCED:
            self._synced[values.get("wp:post_id", "")] = values.get("content:encoded", "")
        elif kind not in _KINDS:
            report.left_out[f"of the type {kind or 'unknown'}"] += 1
        elif status not in _STATUSES:
            report.left_out[f"{kind} with the status {status or 'unknown'}"] += 1
        else:
            yield self._entry(item, values, report)

    def _entry(self, item: Any, values: dict[str, str], report: Report) -> Entry:
        status, terms = values["wp:status"], _terms(item)
        categories = [name for slug, name in terms["category"] if slug != _NO_CATEGORY]
        tags = [name for _, name in terms["post_tag"]]
        entry = Entry(
            kind=_KINDS[values["wp:post_type"]],
            id=values.get("wp:post_id", ""),
            title=values.get("title", ""),
            source=values.get("content:encoded", ""),
            slug=unquote(values.get("wp:post_name", "")),
            description=values.get("excerpt:encoded", ""),
            date=self._date(values),
            public=status in ("publish", "future"),
            scheduled=status == "future",
            category=categories[0] if categories else "",
            tags=[*categories[1:], *tags],
            author=values.get("dc:creator", ""),
            image=self._picture(item),
            address=values.get("link", "").strip(),
        )
        entry.further_addresses = tuple(self._further_addresses(entry, terms["category"]))
        self._check_status(entry, values, report)
        if comments := sum(1 for child in item if local_name(child) == "comment"):
            report.left_out["comments"] += comments
        return entry

    def _check_status(self, entry: Entry, values: dict[str, str], report: Report) -> None:
        if values.get("wp:post_password"):
            entry.public = False
            report.warn("an item with a password becomes a draft", str(entry))
        elif values["wp:status"] == "private":
            report.warn("a private item becomes a draft", str(entry))

    def _date(self, values: dict[str, str]) -> str:
        """Return the time of a post in UTC; a draft may have none."""
        moment = values.get("wp:post_date_gmt", "").strip()
        if moment and moment != _NO_TIME:
            return f"{moment.replace(' ', 'T')}Z"
        local = _time(values.get("wp:post_date", ""))
        return local.replace(tzinfo=self._zone).astimezone(UTC).isoformat() if local else ""

    def _further_addresses(self, entry: Entry, categories: list[tuple[str, str]]) -> Iterator[str]:
        """Yield the short address, and that of the structure of permalinks."""
        name = "page_id" if entry.kind == PAGE else "p"
        # The website may be in a folder of its host.
        folder = split_address(self.home).path
        yield f"{folder}/?{name}={entry.id}"
        if not self._permalinks or entry.kind == PAGE or not entry.date or not entry.slug:
            return
        moment = _time(entry.date)
        if moment is not None:
            values = {
                "post_id": entry.id,
                "postname": entry.slug,
                "category": categories[0][0] if categories else _NO_CATEGORY,
                "author": entry.author,
            }
            yield folder + permalink(self._permalinks, moment.astimezone(self._zone), values)

    def _picture(self, item: Any) -> str:
        """Return the address of the featured image, which an attachment has."""
        number = _meta(item).get("_thumbnail_id", "")
        return self._images[number][0] if number in self._images else ""

    def _note_author(self, values: dict[str, str]) -> None:
        login = values.get("wp:author_login", "")
        name = values.get("wp:author_display_name", "") or login
        self.authors[login] = ForeignAuthor(login, name, values.get("wp:author_email", ""))

    def _note_attachment(self, item: Any, values: dict[str, str]) -> None:
        address, number = values.get("wp:attachment_url", "").strip(), values.get("wp:post_id", "")
        if not address or number in self._images:
            return
        alt_text = _meta(item).get("_wp_attachment_image_alt", "")
        self._images[number] = (address, alt_text)
        if alt_text:
            self._alt_texts[split_address(address).path] = alt_text
        parent = values.get("wp:post_parent", "0")
        if parent != "0":
            self._attached[parent].append(number)


def _terms(item: Any) -> dict[str, list[tuple[str, str]]]:
    """Return slug and name of the categories and tags of an item, by taxonomy."""
    terms: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for child in item:
        if local_name(child) == "category" and child.text:
            terms[child.get("domain", "")].append((child.get("nicename", ""), child.text.strip()))
    return terms


def _meta(item: Any) -> dict[str, str]:
    pairs = (children(child) for child in item if local_name(child) == "postmeta")
    return {pair.get("wp:meta_key", ""): pair.get("wp:meta_value", "") for pair in pairs}


def _time(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text.strip())
    except ValueError:
        return None
